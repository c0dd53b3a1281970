/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.junit.ScrapedPage;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
import org.apache.kafka.common.TopicPartitionInfo;
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
    private static final int BROKERS = 4;
    private static final double ENOUGH = 0.95;
    private static final Duration LENGTH = Duration.ofSeconds(40);
    private static final Duration RECOVERY = Duration.ofSeconds(8);
    private static final int WRITES_PER_SECOND = 60;

    private final StringBuilder table =
            new StringBuilder(
                    "| fault | should be named | seconds charged beyond the usual | to the right"
                            + " one | share |\n"
                            + "|---|---|---|---|---|\n");
    private final List<Double> shares = new ArrayList<>();
    private final AtomicLong failures = new AtomicLong();
    private ExportingCluster cluster;
    private List<Charge> usual = List.of();

    /** What a leader charged to whom in the length of a fault. */
    private record Charge(int leader, String holder, double seconds) {}

    /** A fault or a load, until it is closed. */
    private interface Running extends AutoCloseable {}

    private interface Begin {
        Running begin() throws Exception;
    }

    @Test
    void chargedSecondsNameTheRightBrokerAndRole(@TempDir Path directory) throws Exception {
        try {
            ExportingCluster.alone(
                    directory,
                    BrokerAgents.own(BROKERS),
                    ClusterBuilder::behindLinks,
                    started -> {
                        cluster = started;
                        hold(directory);
                    });
        } finally {
            Files.writeString(Path.of("target", "mark-faults.md"), table);
        }
        assertThat(failures).hasValue(0);
        assertThat(shares).as("%s", table).hasSize(5).allMatch(share -> share > ENOUGH);
    }

    private void hold(Path directory) throws Exception {
        KafkaCluster kafka = cluster.kafka();
        kafka.createTopic(
                TOPIC,
                BROKERS,
                3,
                Map.of("message.timestamp.type", "LogAppendTime", "flush.messages", "1"));
        assertThat(partitions()).extracting(each -> each.leader().id()).doesNotHaveDuplicates();
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
            double all = appendSeconds(cluster.brokers());
            double own = appendSeconds(List.of(1));
            KafkaBroker slow = kafka.broker(1);
            judge(
                    "broker 1 may write " + WRITES_PER_SECOND + " times a second",
                    "1 at the other leaders",
                    () ->
                            SlowDisk.begin(slow.pid(), slow.dataDirectory(), WRITES_PER_SECOND)
                                    ::close,
                    charge -> charge.leader != 1,
                    charge -> charge.holder.equals("1"));
            row(
                    "the same, by the time of appends",
                    "1",
                    appendSeconds(cluster.brokers()) - all,
                    appendSeconds(List.of(1)) - own);
        }
    }

    private void learnUsual() throws Exception {
        pass(RECOVERY);
        usual = during();
    }

    private void judge(
            String what,
            String who,
            Begin fault,
            Predicate<Charge> counts,
            Predicate<Charge> isRight)
            throws Exception {
        List<Charge> seen;
        try (Running begun = fault.begin()) {
            seen = during();
        }
        List<Charge> more =
                beyond(usual, seen).stream()
                        .filter(counts.and(charge -> charge.seconds > 0))
                        .toList();
        row(what, who, sum(more), sum(more.stream().filter(isRight).toList()));
        pass(RECOVERY);
    }

    private static double sum(List<Charge> charges) {
        return charges.stream().mapToDouble(Charge::seconds).sum();
    }

    private void row(String what, String who, double all, double right) {
        table.append(
                String.format(
                        Locale.ROOT,
                        "| %s | %s | %.2f | %.2f | %.1f %% |%n",
                        what,
                        who,
                        all,
                        right,
                        100 * right / all));
        shares.add(right / all);
    }

    /** What is charged in the length of a fault. */
    private List<Charge> during() throws Exception {
        List<Charge> before = charged();
        pass(LENGTH);
        return beyond(before, charged());
    }

    /** By how much charges are larger than the same ones before. */
    private static List<Charge> beyond(List<Charge> before, List<Charge> after) {
        List<Charge> more = new ArrayList<>();
        for (Charge each : after) {
            double earlier = before.get(more.size()).seconds;
            more.add(new Charge(each.leader, each.holder, each.seconds - earlier));
        }
        return more;
    }

    /** Of each leader to each holder, in the same order every time. */
    private List<Charge> charged() throws Exception {
        List<Charge> all = new ArrayList<>();
        for (int leader : cluster.brokers()) {
            ScrapedPage own = cluster.scrapeOwn(leader);
            for (String holder : List.of("1", "2", "3", "4", "leader", "several")) {
                String label = label("follower", holder);
                all.add(
                        new Charge(
                                leader,
                                holder,
                                own.sum("kafka_commit_gated_seconds_total", label)));
            }
        }
        return all;
    }

    private double appendSeconds(List<Integer> brokers) throws Exception {
        double seconds = 0;
        for (int broker : brokers) {
            seconds += cluster.scrapeOwn(broker).sum("kafka_log_append_seconds_sum");
        }
        return seconds;
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

    private List<TopicPartitionInfo> partitions() throws Exception {
        return cluster.kafka()
                .admin()
                .describeTopics(List.of(TOPIC))
                .allTopicNames()
                .get(30, TimeUnit.SECONDS)
                .get(TOPIC)
                .partitions();
    }

    /** Records at a steady pace to each partition, whatever becomes of those before. */
    private Running load(int perSecondAndPartition) {
        KafkaProducer<byte[], byte[]> producer =
                cluster.traffic().producer(Map.of("linger.ms", 0, "batch.size", 0));
        Running sending =
                regularly(
                        Duration.ofSeconds(1).dividedBy(perSecondAndPartition),
                        () -> sendToAll(producer));
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
