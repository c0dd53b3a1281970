/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.measure.Scrape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A healthy stack under load. All of its brokers are restarted one after the other: nobody is paged
 * for latency unless the latency was really bad then, by this test's own count of the probes. And
 * without any fault nobody is paged at all, no broker is named and no outage is suspected.
 *
 * <p>The figures are left in {@code acceptance/target/healthy-run.txt}.
 */
@Tag("long")
@ResourceLock("stack")
class HealthyRunIT {
    private static final Duration LENGTH = Duration.ofMinutes(6);
    private static final int RECORDS_PER_SECOND = 500;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Between two restarts, for what the first did to be over. */
    private static final Duration BETWEEN = Duration.ofMinutes(2);

    /** Without any fault; two hours are {@code -Dhealthy.minutes=120}. */
    private static final Duration WITHOUT_FAULT =
            Duration.ofMinutes(Long.getLong("healthy.minutes", 5));

    /** Brokers, canary and Prometheus are new, and slow at first. */
    private static final Duration WARM_UP = Duration.ofSeconds(150);

    /** In bursts, as applications that batch send. */
    private static final Duration BURST = Duration.ofMillis(20);

    /**
     * From a breach to the page's start at most: the alert's own ten seconds, a scrape, an
     * evaluation and the canary's deadline, twice over for a busy machine.
     */
    private static final Duration DELAY = Duration.ofSeconds(50);

    /** For so long most probes are overdue before the canary suspects an outage. */
    private static final Duration OUTAGE = Duration.ofSeconds(3);

    /** From then to the page's start at most: a scrape and an evaluation. */
    private static final Duration OUTAGE_DELAY = Duration.ofSeconds(15);

    /** The canary's, and a look: then what has not come back is bad. */
    private static final Duration DEADLINE = Duration.ofSeconds(6);

    private final Http http = new Http();
    private final List<Counts> counted = new CopyOnWriteArrayList<>();
    private final AtomicLong acknowledged = new AtomicLong();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    private Stack stack;
    private KafkaProducer<byte[], byte[]> producer;

    /** Probes judged until then. */
    private record Counts(Instant at, double good, double bad) {}

    /** An alert for latency that a pager was told of. */
    private record LatencyPage(String alert, Instant start, String summary) {}

    /** A restart, from the signal until all replicas were in sync again. */
    private record Restart(String broker, Duration took) {}

    @BeforeEach
    void startUnderLoad(@TempDir Path directory) throws Exception {
        stack = Stack.asUsersRunIt(directory.resolve("state"));
        stack.start();
        String bootstrap = "127.0.0.1:" + stack.port(19092);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("load", 6, (short) 3))).all().get();
        }
        producer =
                new KafkaProducer<>(
                        Map.of("bootstrap.servers", bootstrap, "acks", "all", "linger.ms", 5),
                        new ByteArraySerializer(),
                        new ByteArraySerializer());
        threads.scheduleAtFixedRate(this::burst, 0, BURST.toMillis(), TimeUnit.MILLISECONDS);
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void nobodyIsPagedForLatencyThatWasGood() throws Exception {
        Future<?> counting = threads.scheduleAtFixedRate(this::count, 0, 1, TimeUnit.SECONDS);
        List<Restart> restarts = new ArrayList<>();
        awaitLoadOf(LENGTH.dividedBy(3));
        for (String broker : List.of("broker-1", "broker-2", "broker-3")) {
            restarts.add(restart(broker));
            awaitLoadOf(loaded().plus(BETWEEN));
        }
        awaitLoadOf(LENGTH);

        assertThat(counting).as("the count of probes").isNotDone();
        counting.cancel(true);
        List<LatencyPage> pages = pages();
        String figures = figures(restarts, pages);
        Files.writeString(Repository.path("acceptance/target/healthy-run.txt"), figures);
        assertThat(pages).as(figures).filteredOn(page -> !wasBad(page)).isEmpty();
    }

    @Test
    void withoutAFaultNobodyIsPagedNorNamedNorSuspected() throws Exception {
        awaitLoadOf(WARM_UP);
        Instant begin = Instant.now();
        awaitLoadOf(WARM_UP.plus(WITHOUT_FAULT));

        String window = "[" + Duration.between(begin, Instant.now()).toSeconds() + "s]))";
        Map<String, Double> suspects =
                stack.query("max by (broker) (max_over_time(kafka_suspect" + window, "broker");
        Map<String, Double> suspicions =
                stack.query(
                        "max by (cluster) (max_over_time(kafka_canary_outage_suspected" + window,
                        "cluster");
        Files.writeString(
                Repository.path("acceptance/target/without-fault.txt"),
                "%s after %s: suspects %s, outages suspected %s, told of %s%n"
                        .formatted(WITHOUT_FAULT, WARM_UP, suspects, suspicions, told()));
        assertThat(suspicions).hasSize(1).allSatisfy((c, v) -> assertThat(v).isZero());
        assertThat(suspects).as("seconds, by broker").isEmpty();
        assertThat(stack.told())
                .filteredOn(alert -> alert.at("/labels/severity").asText().equals("critical"))
                .isEmpty();
    }

    /** The time that the acknowledged records took to be due. */
    private Duration loaded() {
        return Duration.ofMillis(acknowledged.get() * 1000 / RECORDS_PER_SECOND);
    }

    private void awaitLoadOf(Duration time) {
        await().alias("load of " + time)
                .atMost(time.minus(loaded()).multipliedBy(2).plus(PATIENCE))
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> loaded().compareTo(time) >= 0);
    }

    private String figures(List<Restart> restarts, List<LatencyPage> pages)
            throws IOException, InterruptedException {
        Counts first = counted.get(0);
        Counts last = counted.get(counted.size() - 1);
        Duration length = Duration.between(first.at(), last.at());
        String window = "[" + (length.toMinutes() + 1) + "m:5s]";
        return String.format(
                        Locale.ROOT,
                        "%d minutes, %d records of load, restarts %s: %.2f %% of %.0f probes bad,"
                                + " at worst %.1f %% in 30 s and %.1f %% in 5 minutes%n",
                        length.toMinutes(),
                        acknowledged.get(),
                        restarts,
                        100 * share(first, last),
                        last.good() + last.bad() - first.good() - first.bad(),
                        100 * worst(Duration.ofSeconds(30), first.at(), last.at()),
                        100 * worst(Duration.ofMinutes(5), first.at(), last.at()))
                + "pages for latency: "
                + pages
                + "\ntold of: "
                + told()
                + "\nalerts, told of or held back, and for how many seconds: "
                + stack.query(
                        "5 * sum by (alertname) (count_over_time(ALERTS{alertstate=\"firing\"}"
                                + window
                                + "))",
                        "alertname")
                + "\n";
    }

    private Restart restart(String broker) throws IOException, InterruptedException {
        Instant begin = Instant.now();
        ProcessHandle process = stack.process(broker);
        process.destroy();
        await().atMost(PATIENCE).until(() -> !process.isAlive());
        // A busy machine may need longer than up waits; then it is started again.
        await().atMost(PATIENCE.multipliedBy(2))
                .until(() -> stack.up("--detach").run(PATIENCE).exitCode() == 0);
        await().atMost(PATIENCE).pollInterval(Duration.ofSeconds(2)).until(() -> outOfSync() == 0);
        return new Restart(broker, Duration.between(begin, Instant.now()));
    }

    /** Partitions that miss a replica, and brokers that do not answer. */
    private double outOfSync() throws IOException, InterruptedException {
        return stack
                .query(
                        "sum(kafka_server_replicamanager_underreplicatedpartitions)"
                                + " + count(up{job=\"kafka-broker\"} == 0 or vector(0)) - 1",
                        "cluster")
                .values()
                .stream()
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Counts the judged probes; ends the schedule when the canary does not answer at all. */
    private void count() {
        try {
            counted.add(counts(Scrape.of(http.text(stack.url(9470) + "/metrics"))));
        } catch (HttpTimeoutException busy) {
            // The next look covers the time of this one as well.
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static Counts counts(Scrape scrape) {
        String judged = "kafka_canary_slo_probes_total";
        return new Counts(
                Instant.now(),
                scrape.sum(judged, Scrape.label("verdict", "good")),
                scrape.sum(judged, Scrape.label("verdict", "bad")));
    }

    /** Whether the probes before a page were as bad as its alert says; half of that is enough. */
    private boolean wasBad(LatencyPage page) {
        if (page.summary().contains("do not come back")) {
            Instant from = page.start().minus(OUTAGE_DELAY).minus(OUTAGE);
            return worst(OUTAGE, from, page.start().plus(DEADLINE)) >= 0.5;
        }
        boolean most = page.alert().equals("MostProbesBad");
        Duration window = most ? Duration.ofSeconds(30) : Duration.ofMinutes(5);
        // A burn rate of at least 6, of a budget of 1 %.
        double share = most ? 0.25 : 0.03;
        return worst(window, page.start().minus(DELAY).minus(window), page.start()) >= share;
    }

    /**
     * The greatest share of bad probes in any stretch of this length between the two; counting may
     * have begun within it.
     */
    private double worst(Duration window, Instant from, Instant to) {
        double worst = 0;
        int start = 0;
        for (Counts until : counted) {
            while (counted.get(start).at().isBefore(until.at().minus(window))) {
                start++;
            }
            if (!until.at().isBefore(from.plus(window)) && !until.at().isAfter(to)) {
                worst = Math.max(worst, share(counted.get(start), until));
            }
        }
        return worst;
    }

    private static double share(Counts from, Counts to) {
        double bad = to.bad() - from.bad();
        double all = bad + to.good() - from.good();
        return all <= 0 ? 0 : bad / all;
    }

    private List<LatencyPage> pages() throws IOException {
        return stack.told().stream()
                .filter(
                        alert ->
                                alert.at("/labels/area").asText().equals("latency")
                                        && alert.at("/labels/severity").asText().equals("critical")
                                        && alert.path("status").asText().equals("firing"))
                .map(
                        alert ->
                                new LatencyPage(
                                        alert.at("/labels/alertname").asText(),
                                        Instant.parse(alert.path("startsAt").asText()),
                                        alert.at("/annotations/summary").asText()))
                .distinct()
                .toList();
    }

    /** How often the receiver was told of which alert. */
    private Map<String, Integer> told() throws IOException {
        Map<String, Integer> times = new TreeMap<>();
        for (JsonNode alert : stack.told()) {
            times.merge(
                    alert.at("/labels/alertname").asText() + " " + alert.path("status").asText(),
                    1,
                    Integer::sum);
        }
        return times;
    }

    private void burst() {
        byte[] value = new byte[1000];
        for (long i = BURST.toMillis() * RECORDS_PER_SECOND / 1000; i > 0; i--) {
            producer.send(
                    new ProducerRecord<>("load", value),
                    (sent, failed) -> {
                        if (failed == null) {
                            acknowledged.incrementAndGet();
                        }
                    });
        }
    }
}
