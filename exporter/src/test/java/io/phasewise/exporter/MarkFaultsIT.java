/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.junit.ScrapedPage.Sample;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.EvidenceRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four brokers, each of which leads a partition of the canary's topic with three replicas, and one
 * fault after the other: whom the leaders charge for the time that records wait more than usual.
 */
@Tag("long")
class MarkFaultsIT {
    private static final String TOPIC = "phasewise-canary";
    private static final String CHARGED = "kafka_commit_gated_seconds_total";
    private static final String APPENDS = "kafka_log_append_seconds_sum";
    private static final int BROKERS = 4;
    private static final double ENOUGH = 0.95;
    private static final String COMMAND =
            "mvn verify -pl exporter -am -Dit.test=MarkFaultsIT -Dtests.included=long" + " -Dtests.excluded=none";
    private static final Duration LENGTH = Duration.ofSeconds(40);
    private static final Duration RECOVERY = Duration.ofSeconds(8);
    private static final int WRITES_PER_SECOND = 60;

    private static final List<String> COLUMNS =
            List.of("fault", "should be named", "seconds charged beyond the usual", "to the right one", "share");

    /** As {@code docs/evidence/runs} keeps them. */
    private final List<List<String>> table = new ArrayList<>();

    private final List<Double> shares = new ArrayList<>();
    private final AtomicLong failures = new AtomicLong();
    private ExportingCluster cluster;
    private Map<Charge, Double> usual = Map.of();

    /** What a leader charges to whom. */
    private record Charge(int leader, String holder) {}

    /** A fault or a load, until it is closed. */
    private interface Running extends AutoCloseable {}

    private interface Begin {
        Running begin() throws Exception;
    }

    @Test
    void chargedSecondsNameTheRightBrokerAndRole(@TempDir Path directory) throws Exception {
        try {
            ExportingCluster.alone(directory, BrokerAgents.own(BROKERS), ClusterBuilder::behindLinks, started -> {
                cluster = started;
                hold(directory);
            });
        } finally {
            boolean passed = shares.size() == 5 && shares.stream().allMatch(share -> share > ENOUGH);
            EvidenceRun.now(Path.of(""), COMMAND, passed, List.of(), COLUMNS, table)
                    .write(Path.of("target", "evidence"), "mark-faults");
        }
        assertThat(failures).hasValue(0);
        assertThat(shares).as("%s", table).hasSize(5).allMatch(share -> share > ENOUGH);
    }

    private void hold(Path directory) throws Exception {
        KafkaCluster kafka = cluster.kafka();
        kafka.createTopic(TOPIC, BROKERS, 3, Map.of("message.timestamp.type", "LogAppendTime", "flush.messages", "1"));
        assertThat(cluster.topic(TOPIC).partitions())
                .extracting(each -> each.leader().id())
                .doesNotHaveDuplicates();
        // The canary's own rate: what waits is not sent in a burst afterwards.
        try (Running load = load(20)) {
            learnUsual();
            judge(
                    "follower 3 is paused for 400 ms in every 2 s",
                    "3 at the other leaders",
                    () -> pauses(kafka.broker(3)),
                    charge -> charge.leader != 3,
                    charge -> charge.holder.equals("3"));
            judge(
                    "the path to leader 4 takes 100 ms longer, for all of its followers",
                    "several, at 4 and nowhere else",
                    () -> {
                        kafka.replicationLink(4).toServer().delay(Duration.ofMillis(100));
                        return () -> kafka.replicationLink(4).toServer().delay(Duration.ZERO);
                    },
                    charge -> true,
                    charge -> charge.leader == 4 && !charge.holder.equals("leader"));
        }
        // Of the few records that a leader has pending as it stops, this gives enough.
        try (Running load = load(100)) {
            learnUsual();
            judge(
                    "leader 2 is paused for 400 ms in every 2 s",
                    "the leader itself, at 2",
                    () -> pauses(kafka.broker(2)),
                    charge -> charge.leader == 2,
                    charge -> charge.holder.equals("leader"));
        }
        assertThat(SlowDisk.obstacle(directory)).as("why no disk can be slow").isEmpty();
        try (Running load = load(5)) {
            learnUsual();
            double all = cluster.sum(APPENDS, Map.of());
            double own = cluster.scrapeOwn(1).sum(APPENDS);
            KafkaBroker slow = kafka.broker(1);
            judge(
                    "broker 1 may write " + WRITES_PER_SECOND + " times a second",
                    "1 at the other leaders",
                    () -> SlowDisk.begin(slow.pid(), slow.dataDirectory(), WRITES_PER_SECOND)::close,
                    charge -> charge.leader != 1,
                    charge -> charge.holder.equals("1"));
            row(
                    "the same, by the time of appends",
                    "1",
                    cluster.sum(APPENDS, Map.of()) - all,
                    cluster.scrapeOwn(1).sum(APPENDS) - own);
        }
    }

    private void learnUsual() throws Exception {
        pass(RECOVERY);
        usual = during();
    }

    private void judge(String what, String who, Begin fault, Predicate<Charge> counts, Predicate<Charge> isRight)
            throws Exception {
        Map<Charge, Double> more;
        try (Running begun = fault.begin()) {
            more = beyond(usual, during());
        }
        more.values().removeIf(seconds -> seconds <= 0);
        row(what, who, sum(more, counts), sum(more, counts.and(isRight)));
        pass(RECOVERY);
    }

    private static double sum(Map<Charge, Double> seconds, Predicate<Charge> counts) {
        return seconds.keySet().stream()
                .filter(counts)
                .mapToDouble(seconds::get)
                .sum();
    }

    private void row(String what, String who, double all, double right) {
        String[] figures = String.format(Locale.ROOT, "%.2f;%.2f;%.1f %%", all, right, 100 * right / all)
                .split(";");
        table.add(List.of(what, who, figures[0], figures[1], figures[2]));
        shares.add(right / all);
    }

    /** What is charged in the length of a fault. */
    private Map<Charge, Double> during() throws Exception {
        Map<Charge, Double> before = charged();
        pass(LENGTH);
        return beyond(before, charged());
    }

    /** By how much charges are larger than the same ones before. */
    private static Map<Charge, Double> beyond(Map<Charge, Double> before, Map<Charge, Double> after) {
        after.replaceAll((charge, seconds) -> seconds - before.getOrDefault(charge, 0.0));
        return after;
    }

    /** Seconds so far, of each leader to each holder. */
    private Map<Charge, Double> charged() throws Exception {
        Map<Charge, Double> all = new HashMap<>();
        for (int leader : cluster.brokers()) {
            for (Sample each : cluster.scrapeOwn(leader).named(CHARGED)) {
                all.put(new Charge(leader, each.labels().get("follower")), each.value());
            }
        }
        return all;
    }

    private static Running pauses(KafkaBroker broker) {
        return regularly(Duration.ofSeconds(2), () -> pause(broker));
    }

    private static void pause(KafkaBroker broker) {
        try {
            broker.pause();
            try {
                TimeUnit.MILLISECONDS.sleep(400);
            } finally {
                broker.resume();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets what is under way end. */
    private static Running regularly(Duration interval, Runnable action) {
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
        clock.scheduleAtFixedRate(action, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
        return () -> {
            clock.shutdown();
            clock.awaitTermination(1, TimeUnit.MINUTES);
        };
    }

    private static void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        await().atMost(time.multipliedBy(2)).until(() -> System.nanoTime() - end > 0);
    }

    /** Records at a steady pace to each partition, whatever becomes of those before. */
    private Running load(int perSecondAndPartition) {
        KafkaProducer<byte[], byte[]> producer = cluster.traffic().producer(Map.of("linger.ms", 0, "batch.size", 0));
        Running sending = regularly(Duration.ofSeconds(1).dividedBy(perSecondAndPartition), () -> sendToAll(producer));
        return () -> {
            sending.close();
            producer.close();
        };
    }

    private void sendToAll(KafkaProducer<byte[], byte[]> producer) {
        for (int partition = 0; partition < BROKERS; partition++) {
            producer.send(
                    new ProducerRecord<>(TOPIC, partition, null, new byte[100]),
                    (metadata, failure) -> failures.addAndGet(failure == null ? 0 : 1));
        }
    }
}
