/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.observation;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.matrix.scene.Scene;
import io.phasewise.experiments.measure.ProbeRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Which probes are in the canary's topic, read by a consumer that is independent of the canary.
 * What the canary itself says of them is in {@link ProbeRecord}.
 */
public final class TopicLog {
    private static final Duration READ_BOUND = Duration.ofSeconds(60);
    private static final int MAGIC = 0x50485753;
    private static final int HEADER_SIZE = 35;

    /** Sequence numbers of one canary's probes, by partition. */
    private final Map<Integer, BitSet> present = new HashMap<>();

    /**
     * Where a topic ends now.
     *
     * @param id of the topic; changes when it is deleted and made again
     * @param offsets end offset of each partition
     */
    public record Ends(Uuid id, Map<TopicPartition, Long> offsets) {
        public static Ends now(Admin admin) throws InterruptedException {
            TopicDescription topic = Administration.await(
                            "describe the canary's topic",
                            admin.describeTopics(List.of(Scene.TOPIC)).allTopicNames())
                    .get(Scene.TOPIC);
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            for (TopicPartitionInfo each : topic.partitions()) {
                ends.put(new TopicPartition(Scene.TOPIC, each.partition()), OffsetSpec.latest());
            }
            Map<TopicPartition, Long> offsets = new HashMap<>();
            Administration.await(
                            "ask where the topic ends", admin.listOffsets(ends).all())
                    .forEach((partition, end) -> offsets.put(partition, end.offset()));
            return new Ends(topic.topicId(), offsets);
        }
    }

    /**
     * Reads what lies between two ends; from the topic's beginning where it was made again in
     * between.
     *
     * @throws IOException when it cannot be read to the end in bounded time
     */
    public static TopicLog between(Ends start, Ends end, Map<String, Object> client) throws IOException {
        TopicLog log = new TopicLog();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(end.offsets().keySet());
            for (TopicPartition partition : end.offsets().keySet()) {
                boolean same = start.id().equals(end.id());
                consumer.seek(partition, same ? start.offsets().getOrDefault(partition, 0L) : 0L);
            }
            long begun = System.nanoTime();
            while (end.offsets().entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
                if (System.nanoTime() - begun > READ_BOUND.toNanos()) {
                    throw new IOException("the canary's topic cannot be read to its end");
                }
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
                    log.take(record.partition(), record.value());
                }
            }
        }
        return log;
    }

    /**
     * Notes a record. A probe's has: magic (4 bytes), version (1), profile (2), partition (4),
     * instance (8), sequence (8), big-endian. A record with a negative sequence is no probe: the
     * canary uses it to calibrate the broker's clock.
     */
    void take(int partition, byte[] value) {
        if (value == null || value.length < HEADER_SIZE) {
            return;
        }
        ByteBuffer in = ByteBuffer.wrap(value);
        long sequence = in.getLong(19);
        if (in.getInt(0) == MAGIC && in.getInt(7) == partition && sequence >= 0) {
            present.computeIfAbsent(partition, p -> new BitSet()).set(Math.toIntExact(sequence));
        }
    }

    /** How many of these came back according to the canary, and are not in the topic. */
    public long missing(Collection<ProbeRecord> probes) {
        return probes.stream()
                .filter(ProbeRecord::cameBack)
                .filter(probe -> !holds(probe.partition(), probe.sequence()))
                .count();
    }

    private boolean holds(int partition, long sequence) {
        BitSet there = present.get(partition);
        return there != null && there.get(Math.toIntExact(sequence));
    }
}
