/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The comparison on real clusters that really changed. Two canaries measure a broker before and
 * after; in between one of them is restarted with {@code linger.ms} 5 in place of 0, the other
 * stays as it is. Of another cluster's three brokers one is paused for a while each second,
 * afterwards. Both at the same time, so that what the machine does to one it does to all. Takes a
 * quarter of an hour.
 */
@Tag("long")
class BeforeAfterIT {

    private static final int SLOW_BROKER = 2;
    private static final long STANDSTILL_MILLIS = 150;

    /** Of each of the two windows. */
    private static final Duration LENGTH = Duration.ofMinutes(10);

    /** By each leader: then brokers on two processors have compiled what they run most. */
    private static final long WARM_UP_PROBES = 2_400;

    private static final Duration WARM_UP_BOUND = Duration.ofMinutes(8);

    /** Of delivered probes: one broker each of two canaries, three of the third. */
    private static final int SERIES = 5;

    private static final String DELIVERED = "kafka_canary_probes_total{outcome=\"delivered\"}";

    private record Times(Instant from, Instant to) {}

    @Test
    void theComparisonFindsWhatChangedAndNothingElse(@TempDir Path home) throws Exception {
        try (PortLease ports = PortLease.take(4);
                KafkaCluster kept = cluster(home.resolve("kept"), 1);
                KafkaCluster slowed = cluster(home.resolve("slowed"), 3)) {
            kept.start();
            slowed.start();
            try (TestPrometheus prometheus =
                            TestPrometheus.start(
                                    Files.createDirectories(home.resolve("prometheus")),
                                    ports,
                                    configuration(ports),
                                    List.of());
                    StandaloneCanary control = canary(home, "control", 0, ports.port(1), kept);
                    StandaloneCanary beside = canary(home, "slowed", 0, ports.port(2), slowed)) {
                prometheus.awaitReady();
                PrometheusClient asked = PrometheusClient.open(prometheus.url());
                Times before;
                try (StandaloneCanary without = canary(home, "linger", 0, ports.port(3), kept)) {
                    await("all are warm", WARM_UP_BOUND, asked, DELIVERED, WARM_UP_PROBES);
                    before = aWindow(asked, control, beside, without);
                }
                Times after;
                try (StandaloneCanary with = canary(home, "linger", 5, ports.port(3), kept)) {
                    after = withASlowBroker(slowed, () -> aWindow(asked, control, beside, with));
                }
                JsonNode nothing = compared(prometheus.url(), "control", before, after);
                JsonNode linger = compared(prometheus.url(), "linger", before, after);
                JsonNode slow = compared(prometheus.url(), "slowed", before, after);
                lingerGrew(linger);
                aBrokerWasSlow(slow);
                nothingChanged(nothing);
            }
        }
    }

    private static KafkaCluster cluster(Path home, int brokers) {
        return KafkaCluster.builder(Launched.ROOT, home).brokers(brokers).shortLived().build();
    }

    private static void nothingChanged(JsonNode review) {
        for (JsonNode subject : review.at("/comparison/subjects")) {
            for (JsonNode change : subject.path("changes")) {
                assertThat(change.path("clear").asBoolean()).as(subject.toString()).isFalse();
            }
        }
    }

    private static void lingerGrew(JsonNode review) {
        JsonNode produce = change(review, "produce", 0.5);
        assertThat(produce.path("clear").asBoolean()).as(produce.toString()).isTrue();
        assertThat(grown(produce)).as(produce.toString()).isBetween(0.004, 0.007);
        for (String other : List.of("publish", "commit", "catch_up", "fetch")) {
            assertThat(grown(change(review, other, 0.5))).as(other).isLessThan(0.001);
        }
        JsonNode whole = change(review, "end_to_end", 0.5);
        assertThat(whole.path("clear").asBoolean()).as(whole.toString()).isTrue();
        assertThat(grown(whole)).as(whole.toString()).isBetween(0.003, 0.008);
    }

    private static void aBrokerWasSlow(JsonNode review) {
        JsonNode whole = change(review, "end_to_end", 0.9);
        assertThat(whole.path("clear").asBoolean()).as(whole.toString()).isTrue();
        assertThat(grown(change(review, "end_to_end", 0.99))).isGreaterThan(0.05);
        // It is paused as the leader of its own partition and as the others' follower.
        JsonNode commit = change(review, "commit", 0.9);
        assertThat(commit.path("clear").asBoolean()).as(commit.toString()).isTrue();
        assertThat(grown(change(review, "publish", 0.99))).isGreaterThan(0.05);
        for (double p : new double[] {0.5, 0.9, 0.99}) {
            JsonNode produce = change(review, "produce", p);
            assertThat(produce.path("clear").asBoolean()).as(produce.toString()).isFalse();
        }
        JsonNode incident = review.at("/incidents/worst/0");
        assertThat(incident.path("suspect").asText())
                .as(incident.toString())
                .isEqualTo(Integer.toString(SLOW_BROKER));
    }

    private static JsonNode change(JsonNode review, String name, double p) {
        return StreamSupport.stream(review.at("/comparison/subjects").spliterator(), false)
                .filter(subject -> subject.path("name").asText().equals(name))
                .flatMap(
                        subject ->
                                StreamSupport.stream(subject.path("changes").spliterator(), false))
                .filter(change -> change.at("/difference/p").asDouble() == p)
                .findFirst()
                .orElseThrow();
    }

    private static double grown(JsonNode change) {
        return change.at("/difference/after/value").asDouble()
                - change.at("/difference/before/value").asDouble();
    }

    /** The review as JSON; its files stay, since what the docs say is from them. */
    private static JsonNode compared(URI server, String cluster, Times before, Times after)
            throws IOException, InterruptedException {
        Path out = Launched.ROOT.resolve("report/target/before-after").resolve(cluster);
        return Launched.report(
                        out,
                        server,
                        after.from(),
                        after.to(),
                        "--cluster=" + cluster,
                        "--compare-from=" + before.from(),
                        "--compare-to=" + before.to())
                .review();
    }

    private static Times withASlowBroker(KafkaCluster kafka, Callable<Times> window)
            throws Exception {
        KafkaBroker slow = kafka.broker(SLOW_BROKER);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try {
            timer.scheduleAtFixedRate(() -> pause(slow), 0, 1_000, TimeUnit.MILLISECONDS);
            timer.scheduleAtFixedRate(
                    () -> resume(slow), STANDSTILL_MILLIS, 1_000, TimeUnit.MILLISECONDS);
            return window.call();
        } finally {
            timer.shutdownNow();
            timer.awaitTermination(30, TimeUnit.SECONDS);
            slow.resume();
        }
    }

    private static void pause(KafkaBroker broker) {
        try {
            broker.pause();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    private static void resume(KafkaBroker broker) {
        try {
            broker.resume();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whole minutes, the first of which begins half a minute or more after the change. */
    private static Times aWindow(PrometheusClient asked, StandaloneCanary... canaries)
            throws InterruptedException {
        for (StandaloneCanary canary : canaries) {
            canary.awaitReady();
        }
        Instant from = Instant.now().plusSeconds(30 + 59).truncatedTo(ChronoUnit.MINUTES);
        Instant to = from.plus(LENGTH);
        await(
                "the samples that end the last minute are scraped",
                LENGTH.plusMinutes(3),
                asked,
                "timestamp(" + DELIVERED + ")",
                to.getEpochSecond());
        return new Times(from, to);
    }

    /** Until each of the canaries' series is there and tells of so much. */
    private static void await(
            String what, Duration bound, PrometheusClient asked, String series, long least)
            throws InterruptedException {
        Await.that(what, bound)
                .every(Duration.ofSeconds(1))
                .until(
                        () -> {
                            List<Sample> told = asked.query(series);
                            boolean enough =
                                    told.size() == SERIES
                                            && told.stream().allMatch(one -> one.value() >= least);
                            return enough ? Optional.empty() : Optional.of(told.toString());
                        });
    }

    private static StandaloneCanary canary(
            Path home, String name, int linger, int port, KafkaCluster kafka)
            throws IOException, InterruptedException {
        Map<String, Object> cluster =
                Map.of(
                        "bootstrap-servers",
                        kafka.bootstrap(),
                        "topic",
                        Map.of(
                                "name",
                                "probes-" + name,
                                "replication-factor",
                                kafka.brokers().size()),
                        "producer",
                        Map.of("linger.ms", linger));
        List<String> jvm = new ArrayList<>(CanaryJvm.options());
        jvm.add("-XX:TieredStopAtLevel=1");
        return StandaloneCanary.start(
                Launched.ROOT.resolve("canary/target/phasewise-canary.jar"),
                home.resolve(name + "-" + linger),
                Map.of(
                        "canary",
                        Map.of("http", Map.of("port", port), "clusters", Map.of(name, cluster))),
                jvm);
    }

    private static String configuration(PortLease ports) {
        return """
        global: {scrape_interval: 5s, scrape_native_histograms: true}
        scrape_configs:
          - job_name: kafka-canary
            static_configs: [{targets: ["127.0.0.1:%d", "127.0.0.1:%d", "127.0.0.1:%d"]}]
        """
                .formatted(ports.port(1), ports.port(2), ports.port(3));
    }
}
