/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.phasewise.exporter.MarkReferee.Sent;
import io.phasewise.lab.measure.Scrape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** Holds what leaders say of the canary's records to what was done to their followers. */
final class MarkChecks {

    private static final String TOPIC = "phasewise-canary";
    private static final String CHARGED = "kafka_commit_gated_seconds_total";
    private static final int RECORDS = 50;
    private static final int STALLS = 4;
    private static final double STALL_SECONDS = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ExportingCluster cluster;

    /**
     * @param cluster three brokers, on which nobody else has the canary's topic
     */
    MarkChecks(ExportingCluster cluster) {
        this.cluster = cluster;
    }

    void hold() throws Exception {
        cluster.kafka().createTopic(TOPIC, 3, 3, Map.of("message.timestamp.type", "LogAppendTime"));
        int partition = 0;
        await().atMost(PATIENCE).until(() -> partition(partition).isr().size() == 3);
        int leader = partition(partition).leader().id();
        List<Integer> followers =
                cluster.brokers().stream().filter(broker -> broker != leader).toList();
        try (KafkaProducer<byte[], byte[]> producer =
                cluster.traffic().as("phasewise-canary-test").producer(Map.of("linger.ms", 0))) {
            List<Sent> sent = new ArrayList<>();
            for (int i = 0; i < RECORDS; i++) {
                long dispatched = System.nanoTime();
                long offset = send(producer, partition).get(30, TimeUnit.SECONDS).offset();
                sent.add(new Sent(partition, offset, dispatched, System.nanoTime()));
            }
            everyRecordIsFollowed(leader, followers, RECORDS);
            MarkReferee referee = new MarkReferee(cluster);
            referee.read();
            assertThat(referee.inOrder(sent, described().topicId().toString())).isEqualTo(RECORDS);
            stalledFollowerIsNamed(producer, partition, leader, followers.get(1));
            everyRecordIsFollowed(leader, followers, RECORDS + STALLS);
            restartedUnderLoadTheyStayInOrder(producer, partition, leader);
        }
    }

    /** A broker that starts again tells of what it sees since, and the others go on. */
    private void restartedUnderLoadTheyStayInOrder(
            KafkaProducer<byte[], byte[]> producer, int partition, int broker) throws Exception {
        Queue<Sent> acknowledged = new ConcurrentLinkedQueue<>();
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        AtomicBoolean ended = new AtomicBoolean();
        MarkReferee referee = new MarkReferee(cluster);
        referee.read();
        Thread load =
                new Thread(
                        () -> {
                            for (int i = 0; !ended.get(); i++) {
                                int to = i % 3;
                                long dispatched = System.nanoTime();
                                producer.send(
                                        new ProducerRecord<>(TOPIC, to, null, new byte[100]),
                                        (metadata, failure) -> {
                                            if (failure != null) {
                                                failures.add(failure);
                                                return;
                                            }
                                            acknowledged.add(
                                                    new Sent(
                                                            to,
                                                            metadata.offset(),
                                                            dispatched,
                                                            System.nanoTime()));
                                        });
                                LockSupport.parkNanos(20_000_000);
                            }
                        });
        load.start();
        try {
            readUntil(referee, () -> acknowledged.size() > RECORDS);
            cluster.kafka().broker(broker).stop();
            readUntil(referee, () -> acknowledged.size() > 3 * RECORDS);
            cluster.kafka().broker(broker).start();
            readUntil(referee, () -> partition(partition).isr().size() == 3);
            cluster.kafka()
                    .admin()
                    .electLeaders(
                            ElectionType.PREFERRED, Set.of(new TopicPartition(TOPIC, partition)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            readUntil(referee, () -> partition(partition).leader().id() == broker);
            int then = acknowledged.size();
            readUntil(referee, () -> acknowledged.size() > then + 2 * RECORDS);
        } finally {
            ended.set(true);
            load.join();
        }
        producer.flush();
        readUntil(referee, () -> true);
        assertThat(failures).isEmpty();
        assertThat(referee.starts()).isEqualTo(4);
        String topicId = described().topicId().toString();
        // Without marks are those that were pending, or not yet told, when a broker stopped.
        assertThat(referee.inOrder(acknowledged, topicId))
                .isGreaterThan(acknowledged.size() * 9 / 10);
    }

    private static void readUntil(MarkReferee referee, Callable<Boolean> condition) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(
                        () -> {
                            referee.read();
                            return condition.call();
                        });
    }

    private void everyRecordIsFollowed(int leader, List<Integer> followers, int records)
            throws Exception {
        Scrape scrape = cluster.scrapeOwn(leader);
        assertThat(scrape.value("kafka_commit_seconds_count", label("records", "canary")))
                .isEqualTo(records);
        assertThat(scrape.sum(CHARGED))
                .isCloseTo(scrape.value("kafka_commit_seconds_sum"), within(1e-6));
        assertThat(scrape.named("kafka_exporter_marks_dropped_total")).isEmpty();
        assertThat(scrape.value("kafka_log_append_seconds_count", label("role", "leader")))
                .isGreaterThanOrEqualTo(records);
        for (int follower : followers) {
            assertThat(scrape.value("kafka_replica_ack_seconds_count", label("follower", follower)))
                    .isEqualTo(records);
            Scrape its = cluster.scrapeOwn(follower);
            assertThat(its.value("kafka_log_append_seconds_count", label("role", "follower")))
                    .isPositive();
        }
    }

    /** While it is paused the wait for it grows already, and hardly anybody else's does. */
    private void stalledFollowerIsNamed(
            KafkaProducer<byte[], byte[]> producer, int partition, int leader, int follower)
            throws Exception {
        Scrape before = cluster.scrapeOwn(leader);
        String its = label("follower", follower);
        for (int i = 1; i <= STALLS; i++) {
            double wanted = i * STALL_SECONDS;
            cluster.kafka().broker(follower).pause();
            Future<RecordMetadata> sent;
            try {
                sent = send(producer, partition);
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(20))
                        .until(
                                () ->
                                        cluster.scrapeOwn(leader).grown(before, CHARGED, its)
                                                >= wanted);
            } finally {
                cluster.kafka().broker(follower).resume();
            }
            sent.get(30, TimeUnit.SECONDS);
        }
        Scrape after = cluster.scrapeOwn(leader);
        double all = after.grown(before, CHARGED);
        // What a busy machine takes from the leader's own process is the leader's.
        double leaders = after.grown(before, CHARGED, label("follower", "leader"));
        double stalled = after.grown(before, CHARGED, its);
        assertThat(stalled / (all - leaders)).as("share of %s s", all).isGreaterThan(0.95);
        assertThat(stalled).isGreaterThan(STALLS * STALL_SECONDS).isGreaterThan(4 * leaders);
    }

    private static Future<RecordMetadata> send(
            KafkaProducer<byte[], byte[]> producer, int partition) {
        return producer.send(new ProducerRecord<>(TOPIC, partition, null, new byte[100]));
    }

    private TopicPartitionInfo partition(int number) throws Exception {
        return described().partitions().get(number);
    }

    private TopicDescription described() throws Exception {
        return cluster.kafka()
                .admin()
                .describeTopics(List.of(TOPIC))
                .allTopicNames()
                .get(30, TimeUnit.SECONDS)
                .get(TOPIC);
    }
}
