/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.topic.TopicOwnership.Records;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Reads a topic from its beginning to its present end and says whether each record is a probe;
 * stops at the first that is none. Of a record's value it keeps one thing: whether it begins as a
 * probe's does. Bounded: at most 256 MiB of records and 30 seconds. What follows is left to {@link
 * TopicOwnership}.
 */
public final class ProbeRecordLook implements RecordLook {
    private static final long MOST_BYTES = 256L << 20;
    private static final Duration AT_MOST = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(500);

    private final String topic;
    private final Supplier<Consumer<byte[], Boolean>> consumers;
    private final LongSupplier nanoClock;

    /**
     * @param topic whose records are read
     * @param consumers makes a consumer that belongs to no group, with {@link IsProbe} for values;
     *     closed by this
     * @param nanoClock monotonic nanoseconds
     */
    public ProbeRecordLook(String topic, Supplier<Consumer<byte[], Boolean>> consumers, LongSupplier nanoClock) {
        this.topic = topic;
        this.consumers = consumers;
        this.nanoClock = nanoClock;
    }

    /** Keeps of a record's value only whether it begins as a probe's does. */
    public static final class IsProbe implements Deserializer<Boolean> {
        @Override
        public Boolean deserialize(String of, byte[] value) {
            return value != null && ProbeCodec.isProbe(ByteBuffer.wrap(value));
        }

        @Override
        public Boolean deserialize(String of, Headers headers, ByteBuffer value) {
            return value != null && ProbeCodec.isProbe(value);
        }
    }

    @Override
    public Records look(int partitions) {
        Consumer<byte[], Boolean> consumer = consumers.get();
        try {
            return look(consumer, partitions);
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
        }
    }

    private Records look(Consumer<byte[], Boolean> consumer, int partitions) {
        long start = nanoClock.getAsLong();
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(all);
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        if (all.stream().anyMatch(each -> begins.get(each) >= ends.get(each))) {
            return Records.TOO_FEW;
        }
        consumer.assign(all);
        begins.forEach(consumer::seek);
        Set<TopicPartition> open = new HashSet<>(all);
        Set<TopicPartition> empty = new HashSet<>(all);
        long bytes = 0;
        while (!open.isEmpty()) {
            if (bytes > MOST_BYTES || nanoClock.getAsLong() - start > AT_MOST.toNanos()) {
                return Records.TOO_MANY;
            }
            ConsumerRecords<byte[], Boolean> records = consumer.poll(POLL);
            for (ConsumerRecord<byte[], Boolean> record : records) {
                // For a record without a value Kafka calls no deserializer: it is null, and no probe.
                if (!Boolean.TRUE.equals(record.value())) {
                    return Records.OTHERS;
                }
                bytes += Math.max(0, record.serializedValueSize()) + Math.max(0, record.serializedKeySize());
                empty.remove(new TopicPartition(topic, record.partition()));
            }
            open.removeIf(each -> consumer.position(each) >= ends.get(each));
        }
        return empty.isEmpty() ? Records.PROBES : Records.TOO_FEW;
    }
}
