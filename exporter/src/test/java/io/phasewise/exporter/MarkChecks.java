/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.exporter.Patience.await;
import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.exporter.MarkReferee.Sent;
import io.phasewise.lab.junit.ScrapedPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
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

    private final ExportingCluster cluster;
    private final int leader;

    /** Sends to three brokers, on which nobody else has the canary's topic. */
    MarkChecks(ExportingCluster cluster) throws Exception {
        this.cluster = cluster;
        cluster.kafka().createTopic(TOPIC, 3, 3, Map.of("message.timestamp.type", "LogAppendTime"));
        await("all are in sync").until(this::allAreInSync);
        leader = first().leader().id();
    }

    void hold() throws Exception {
        List<Integer> followers =
                cluster.brokers().stream().filter(broker -> broker != leader).toList();
        try (KafkaProducer<byte[], byte[]> producer =
                cluster.traffic().as("phasewise-canary-test").producer(Map.of("linger.ms", 0))) {
            List<Sent> sent = new ArrayList<>();
            for (int i = 0; i < RECORDS; i++) {
                sent.add(send(producer, 0).get(30, TimeUnit.SECONDS));
            }
            everyRecordIsFollowed(followers, RECORDS);
            MarkReferee referee = new MarkReferee(cluster);
            referee.read();
            assertThat(referee.inOrder(sent, topicId())).isEqualTo(RECORDS);
            stalledFollowerIsNamed(producer, followers.get(1));
            everyRecordIsFollowed(followers, RECORDS + STALLS);
            restartedUnderLoadTheyStayInOrder(producer);
        }
    }

    /** A leader that starts again tells of what it sees since, and the others go on. */
    private void restartedUnderLoadTheyStayInOrder(KafkaProducer<byte[], byte[]> producer) throws Exception {
        Queue<CompletableFuture<Sent>> sent = new ConcurrentLinkedQueue<>();
        AtomicBoolean ended = new AtomicBoolean();
        MarkReferee referee = new MarkReferee(cluster);
        referee.read();
        Thread load = new Thread(() -> {
            for (int i = 0; !ended.get(); i++) {
                sent.add(send(producer, i % 3));
                LockSupport.parkNanos(20_000_000);
            }
        });
        load.start();
        try {
            readUntil(referee, () -> acknowledged(sent) > RECORDS);
            cluster.kafka().broker(leader).stop();
            readUntil(referee, () -> acknowledged(sent) > 3 * RECORDS);
            cluster.kafka().broker(leader).start();
            readUntil(referee, this::allAreInSync);
            cluster.kafka()
                    .admin()
                    .electLeaders(ElectionType.PREFERRED, Set.of(new TopicPartition(TOPIC, 0)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            readUntil(referee, () -> first().leader().id() == leader);
            long then = acknowledged(sent);
            readUntil(referee, () -> acknowledged(sent) > then + 2 * RECORDS);
        } finally {
            ended.set(true);
            load.join();
        }
        producer.flush();
        referee.read();

        assertThat(referee.starts()).isEqualTo(4);
        // Without marks are those that were pending, or not yet told, when a broker stopped.
        List<Sent> all = sent.stream().map(CompletableFuture::join).toList();
        assertThat(referee.inOrder(all, topicId())).isGreaterThan(all.size() * 9 / 10);
    }

    private static long acknowledged(Queue<CompletableFuture<Sent>> sent) {
        return sent.stream().filter(CompletableFuture::isDone).count();
    }

    private static void readUntil(MarkReferee referee, Callable<Boolean> condition) {
        await("marks are read meanwhile").until(() -> {
            referee.read();
            return condition.call();
        });
    }

    private void everyRecordIsFollowed(List<Integer> followers, int records) throws Exception {
        ScrapedPage scrape = cluster.scrapeOwn(leader);
        assertThat(scrape.value("kafka_commit_seconds_count", label("records", "canary")))
                .isEqualTo(records);
        assertThat(scrape.sum(CHARGED)).isCloseTo(scrape.value("kafka_commit_seconds_sum"), within(1e-6));
        assertThat(scrape.sum("kafka_exporter_marks_dropped_total")).isZero();
        assertThat(scrape.value("kafka_log_append_seconds_count", label("role", "leader")))
                .isGreaterThanOrEqualTo(records);
        for (int follower : followers) {
            assertThat(scrape.value("kafka_replica_ack_seconds_count", label("follower", follower)))
                    .isEqualTo(records);
            ScrapedPage its = cluster.scrapeOwn(follower);
            assertThat(its.value("kafka_log_append_seconds_count", label("role", "follower")))
                    .isPositive();
        }
    }

    /** While it is paused the wait for it grows already, and hardly anybody else's does. */
    private void stalledFollowerIsNamed(KafkaProducer<byte[], byte[]> producer, int follower) throws Exception {
        ScrapedPage before = cluster.scrapeOwn(leader);
        String its = label("follower", follower);
        for (int i = 1; i <= STALLS; i++) {
            double wanted = i * STALL_SECONDS;
            cluster.kafka().broker(follower).pause();
            CompletableFuture<Sent> sent;
            try {
                sent = send(producer, 0);
                await("the wait has grown")
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> cluster.scrapeOwn(leader).grown(before, CHARGED, its) >= wanted);
            } finally {
                cluster.kafka().broker(follower).resume();
            }
            sent.get(30, TimeUnit.SECONDS);
        }
        ScrapedPage after = cluster.scrapeOwn(leader);
        double all = after.grown(before, CHARGED);
        // What a busy machine takes from the leader's own process is the leader's.
        double leaders = after.grown(before, CHARGED, label("follower", "leader"));
        double stalled = after.grown(before, CHARGED, its);
        assertThat(stalled / (all - leaders)).as("share of %s s", all).isGreaterThan(0.95);
        assertThat(stalled).isGreaterThan(STALLS * STALL_SECONDS).isGreaterThan(4 * leaders);
    }

    private static CompletableFuture<Sent> send(KafkaProducer<byte[], byte[]> producer, int partition) {
        CompletableFuture<Sent> sent = new CompletableFuture<>();
        long dispatched = System.nanoTime();
        producer.send(new ProducerRecord<>(TOPIC, partition, null, new byte[100]), (metadata, failure) -> {
            long now = System.nanoTime();
            if (failure == null) {
                sent.complete(new Sent(partition, metadata.offset(), dispatched, now));
            } else {
                sent.completeExceptionally(failure);
            }
        });
        return sent;
    }

    private boolean allAreInSync() throws Exception {
        return first().isr().size() == 3;
    }

    private TopicPartitionInfo first() throws Exception {
        return cluster.topic(TOPIC).partitions().get(0);
    }

    private String topicId() throws Exception {
        return cluster.topic(TOPIC).topicId().toString();
    }
}
