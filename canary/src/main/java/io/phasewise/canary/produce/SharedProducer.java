/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.produce;

import io.phasewise.canary.ledger.Ledger;
import io.phasewise.canary.ledger.Probe;
import io.phasewise.canary.probe.ProbeCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Sends all probes of a cluster through one Kafka producer, as an application with default settings
 * would.
 *
 * <p>Why send() cannot block: the producer runs with {@code max.block.ms=0}, so that missing
 * metadata or a full buffer fail the one probe at once. Why one dead broker cannot starve the
 * others of buffer: a partition may hold no more probes than its share of the buffer; what goes
 * beyond fails at once as well.
 */
public final class SharedProducer implements ProbeProducer {
    /** Bytes that a record takes in a batch beside its value, rounded up. */
    private static final int RECORD_OVERHEAD = 128;

    /** The part of the buffer that is given out; batches are not always full. */
    private static final double USABLE = 0.8;

    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final ProbeCodec codec;
    private final Ledger ledger;
    private final BiConsumer<Probe, Exception> failures;
    private final LongSupplier nanoClock;
    private final long bufferMemory;
    private volatile boolean broken;
    private final Map<Integer, AtomicInteger> outstanding = new ConcurrentHashMap<>();

    /**
     * @param producer made with {@code max.block.ms=0}; closed with this
     * @param topic where to
     * @param codec writes the records; used by the sending thread only
     * @param ledger learns what became of each probe
     * @param failures told of every probe that failed and why
     * @param nanoClock monotonic nanoseconds
     * @param bufferMemory the producer's {@code buffer.memory} in bytes, of which every partition
     *     gets an equal share
     */
    public SharedProducer(
            Producer<byte[], byte[]> producer,
            String topic,
            ProbeCodec codec,
            Ledger ledger,
            BiConsumer<Probe, Exception> failures,
            LongSupplier nanoClock,
            long bufferMemory) {
        this.producer = producer;
        this.topic = topic;
        this.codec = codec;
        this.ledger = ledger;
        this.failures = failures;
        this.nanoClock = nanoClock;
        this.bufferMemory = bufferMemory;
    }

    @Override
    public void send(Probe probe) {
        AtomicInteger partitionOutstanding =
                outstanding.computeIfAbsent(probe.partition(), p -> new AtomicInteger());
        if (partitionOutstanding.incrementAndGet() > share()) {
            partitionOutstanding.decrementAndGet();
            fail(
                    probe,
                    new TimeoutException("the partition's share of the producer's buffer is full"));
            return;
        }
        byte[] value = codec.encode(probe.partition(), probe.sequence(), probe.dueNanos());
        long sent = nanoClock.getAsLong();
        Acknowledgement acknowledgement = new Acknowledgement(probe, sent, partitionOutstanding);
        try {
            producer.send(
                    new ProducerRecord<>(topic, probe.partition(), null, value), acknowledgement);
        } catch (KafkaException | IllegalStateException e) {
            broken |= !(e instanceof ApiException);
            acknowledgement.onCompletion(null, e);
        }
    }

    private void fail(Probe probe, Exception reason) {
        ledger.sendFailed(probe);
        failures.accept(probe, reason);
    }

    /** Probes of one partition that may be unacknowledged at once. */
    private long share() {
        int bytesPerProbe = codec.size() + RECORD_OVERHEAD;
        return Math.max(1, (long) (USABLE * bufferMemory / outstanding.size() / bytesPerProbe));
    }

    /** Whether Kafka has put the producer out of service for good: every later send would fail. */
    public boolean broken() {
        return broken;
    }

    @Override
    public Map<Integer, Integer> leaders() {
        Map<Integer, Integer> leaders = new HashMap<>();
        try {
            for (PartitionInfo partition : producer.partitionsFor(topic)) {
                if (partition.leader() != null && !partition.leader().isEmpty()) {
                    leaders.put(partition.partition(), partition.leader().id());
                }
            }
        } catch (TimeoutException e) {
            return Map.of(); // not known yet; the request is on its way
        }
        return leaders;
    }

    @Override
    public void close(Duration timeout) {
        producer.close(timeout);
    }

    /**
     * Called once per probe by the producer's network thread, or by the sending thread when it
     * fails at once.
     */
    private final class Acknowledgement implements Callback {
        private final Probe probe;
        private final long sentNanos;
        private final AtomicInteger partitionOutstanding;

        Acknowledgement(Probe probe, long sentNanos, AtomicInteger partitionOutstanding) {
            this.probe = probe;
            this.sentNanos = sentNanos;
            this.partitionOutstanding = partitionOutstanding;
        }

        @Override
        public void onCompletion(RecordMetadata metadata, Exception exception) {
            long now = nanoClock.getAsLong();
            partitionOutstanding.decrementAndGet();
            if (exception == null) {
                ledger.acknowledged(probe, sentNanos, now);
            } else {
                fail(probe, exception);
            }
        }
    }
}
