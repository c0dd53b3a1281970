/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.phasewise.lab.fault.SlowDisk;
import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaBroker;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape.Sample;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.serialization.ByteArraySerializer;
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
    private Map<Integer, Map<String, Double>> usual = Map.of();

    /** Says of a leader and whom it charges whether that is right. */
    private interface Verdict {
        boolean isRight(int leader, String holder);
    }

    private interface Fault extends AutoCloseable {}

    @Test
    void chargedSecondsNameTheRightBrokerAndRole(@TempDir Path directory) throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        ClusterBuilder description =
                KafkaCluster.builder(root, directory).shortLived().behindLinks();
        try (ExportingCluster started =
                ExportingCluster.start(description, BrokerAgents.own(BROKERS))) {
            cluster = started;
            started.kafka()
                    .withLogsOnFailure(
                            () -> {
                                hold(directory);
                                return null;
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
        List<TopicPartitionInfo> partitions = partitions();
        assertThat(partitions).extracting(each -> each.leader().id()).doesNotHaveDuplicates();
        // The canary's own rate: what waits is not sent in a burst afterwards.
        try (Load load = new Load(20)) {
            learnUsual();
            judge(
                    "follower 3 is paused for 400 ms in every 2 s",
                    "3 at the other leaders",
                    () -> pauses(kafka.broker(3)),
                    leader -> leader != 3,
                    (leader, holder) -> holder.equals("3"));
            judge(
                    "the path to leader 4 takes 100 ms longer, for all of its followers",
                    "several, at 4 and nowhere else",
                    () -> {
                        kafka.replicationLink(4).there().delay(Duration.ofMillis(100));
                        return () -> kafka.replicationLink(4).there().delay(Duration.ZERO);
                    },
                    leader -> true,
                    (leader, holder) -> leader == 4 && !holder.equals("leader"));
        }
        // Of the few records that a leader has pending as it stops, this gives enough.
        try (Load load = new Load(100)) {
            learnUsual();
            judge(
                    "leader 2 is paused for 400 ms in every 2 s",
                    "the leader itself, at 2",
                    () -> pauses(kafka.broker(2)),
                    leader -> leader == 2,
                    (leader, holder) -> holder.equals("leader"));
        }
        Optional<String> obstacle = SlowDisk.obstacle(directory);
        if (obstacle.isPresent()) {
            fail("the slow disk was not tried: " + obstacle.get());
        }
        try (Load load = new Load(5)) {
            learnUsual();
            Map<String, Double> appends = appendSeconds();
            KafkaBroker slow = kafka.broker(1);
            judge(
                    "broker 1 may write " + WRITES_PER_SECOND + " times a second",
                    "1 at the other leaders",
                    () ->
                            SlowDisk.begin(slow.pid(), slow.dataDirectory(), WRITES_PER_SECOND)
                                    ::close,
                    leader -> leader != 1,
                    (leader, holder) -> holder.equals("1"));
            Map<String, Double> after = appendSeconds();
            double all = 0;
            for (String broker : after.keySet()) {
                all += after.get(broker) - appends.get(broker);
            }
            double own = after.get("1") - appends.get("1");
            row("the same, by the time of appends", "1", all, own);
        }
    }

    private void learnUsual() throws Exception {
        pass(RECOVERY);
        usual = during();
    }

    private interface Begin {
        Fault begin() throws Exception;
    }

    private interface Leaders {
        boolean count(int leader);
    }

    private void judge(String what, String who, Begin fault, Leaders leaders, Verdict verdict)
            throws Exception {
        Map<Integer, Map<String, Double>> seen;
        try (Fault begun = fault.begin()) {
            seen = during();
        }
        double all = 0;
        double right = 0;
        for (int leader : cluster.brokers()) {
            if (!leaders.count(leader)) {
                continue;
            }
            for (Map.Entry<String, Double> each : seen.get(leader).entrySet()) {
                double before = usual.get(leader).getOrDefault(each.getKey(), 0.0);
                double more = Math.max(0, each.getValue() - before);
                all += more;
                right += verdict.isRight(leader, each.getKey()) ? more : 0;
            }
        }
        row(what, who, all, right);
        pass(RECOVERY);
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

    /** What each leader charges to whom in the length of a fault, seconds. */
    private Map<Integer, Map<String, Double>> during() throws Exception {
        Map<Integer, Map<String, Double>> before = charged();
        pass(LENGTH);
        Map<Integer, Map<String, Double>> after = charged();
        after.forEach(
                (leader, holders) ->
                        holders.replaceAll(
                                (holder, seconds) ->
                                        seconds - before.get(leader).getOrDefault(holder, 0.0)));
        return after;
    }

    private Map<Integer, Map<String, Double>> charged() throws Exception {
        Map<Integer, Map<String, Double>> all = new TreeMap<>();
        for (int leader : cluster.brokers()) {
            Map<String, Double> holders = new TreeMap<>();
            for (Sample each :
                    cluster.scrapeOwn(leader).named("kafka_commit_gated_seconds_total")) {
                holders.merge(each.labels().get("follower"), each.value(), Double::sum);
            }
            all.put(leader, holders);
        }
        return all;
    }

    private Map<String, Double> appendSeconds() throws Exception {
        Map<String, Double> all = new TreeMap<>();
        for (int broker : cluster.brokers()) {
            double sum = 0;
            for (Sample each : cluster.scrapeOwn(broker).named("kafka_log_append_seconds_sum")) {
                sum += each.value();
            }
            all.put(String.valueOf(broker), sum);
        }
        return all;
    }

    private static Fault pauses(KafkaBroker broker) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                while (!Thread.currentThread().isInterrupted()) {
                                    broker.pause();
                                    try {
                                        TimeUnit.MILLISECONDS.sleep(400);
                                    } finally {
                                        broker.resume();
                                    }
                                    TimeUnit.MILLISECONDS.sleep(1_600);
                                }
                            } catch (InterruptedException ended) {
                                Thread.currentThread().interrupt();
                            }
                        });
        thread.start();
        return () -> {
            thread.interrupt();
            thread.join();
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
    private final class Load implements AutoCloseable {
        private final KafkaProducer<byte[], byte[]> producer;
        private final Thread thread;
        private volatile boolean closed;

        Load(int perSecondAndPartition) {
            Map<String, Object> properties = new HashMap<>(cluster.kafka().clientProperties());
            properties.put(ProducerConfig.LINGER_MS_CONFIG, 0);
            properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 0);
            producer =
                    new KafkaProducer<>(
                            properties, new ByteArraySerializer(), new ByteArraySerializer());
            thread = new Thread(() -> run(1_000_000_000L / perSecondAndPartition));
            thread.start();
        }

        private void run(long interval) {
            long due = System.nanoTime();
            while (!closed) {
                for (int partition = 0; partition < BROKERS; partition++) {
                    producer.send(
                            new ProducerRecord<>(TOPIC, partition, null, new byte[100]),
                            (metadata, failure) -> {
                                if (failure != null) {
                                    failures.incrementAndGet();
                                }
                            });
                }
                due += interval;
                LockSupport.parkNanos(due - System.nanoTime());
            }
        }

        @Override
        public void close() throws InterruptedException {
            closed = true;
            thread.join();
            producer.close();
        }
    }
}
