/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.load;

import io.phasewise.lab.process.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends a {@link Load} until closed. It is an open loop: records are due at even intervals, and the
 * producers take turns. Measuring is left to the canary.
 */
public final class Producers implements AutoCloseable {
    private static final Duration METADATA_BOUND = Duration.ofSeconds(20);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private final List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();
    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final Thread pacer;
    private volatile boolean stopping;

    /**
     * Begins at once.
     *
     * @param topic must exist
     * @param client how to reach the cluster
     * @throws io.phasewise.lab.process.AwaitException when the producers get no metadata of the
     *     topic
     * @throws InterruptedException when interrupted; nothing is sent then
     */
    public Producers(Load load, String topic, Map<String, Object> client) throws InterruptedException {
        try {
            for (int i = 0; i < load.producers(); i++) {
                producers.add(new KafkaProducer<>(properties(load, client, i)));
            }
            // Nothing can be sent without metadata, so it is awaited before the schedule starts.
            for (KafkaProducer<byte[], byte[]> producer : producers) {
                Await.that("the load's producers learn where " + topic + " is", METADATA_BOUND)
                        .every(Duration.ofMillis(20))
                        .until(() -> metadata(producer, topic));
            }
        } catch (RuntimeException | InterruptedException notReady) {
            closeProducers();
            throw notReady;
        }
        pacer = new Thread(() -> pace(load, topic), "load");
        pacer.setDaemon(true);
        pacer.start();
    }

    private static Map<String, Object> properties(Load load, Map<String, Object> client, int number) {
        Map<String, Object> properties = new HashMap<>(client);
        properties.putAll(load.settings());
        properties.put("client.id", "lab-load-" + number);
        // An overloaded cluster must not hold up the schedule: a record without room in the buffer
        // fails.
        properties.put("max.block.ms", "0");
        properties.put("key.serializer", ByteArraySerializer.class.getName());
        properties.put("value.serializer", ByteArraySerializer.class.getName());
        return properties;
    }

    /**
     * Looks for metadata of the topic; empty once it is there.
     *
     * @throws KafkaException while it is not there
     */
    private static Optional<String> metadata(KafkaProducer<byte[], byte[]> producer, String topic)
            throws InterruptedException {
        try {
            producer.partitionsFor(topic);
            return Optional.empty();
        } catch (InterruptException asked) {
            // // Kafka leaves the interrupt flag set, which would cut the clean-up short.
            Thread.interrupted();
            throw new InterruptedException();
        }
    }

    private void pace(Load load, String topic) {
        Values values = new Values(load.recordBytes(), 1);
        long distance = Math.round(1e9 / load.recordsPerSecond());
        long start = System.nanoTime();
        for (long i = 0; !stopping; i++) {
            long due = start + i * distance;
            for (long wait; (wait = due - System.nanoTime()) > 0 && !stopping; ) {
                LockSupport.parkNanos(wait);
            }
            int partition = (int) (i % load.partitions());
            // Not by the partition's number, so that every producer reaches all partitions.
            int producer = (int) (i / load.partitions() % load.producers());
            try {
                producers
                        .get(producer)
                        .send(
                                new ProducerRecord<>(topic, partition, null, values.next()),
                                (metadata, failure) -> (failure == null ? acknowledged : refused).increment());
            } catch (KafkaException noRoom) {
                refused.increment();
            }
        }
    }

    /** Records acknowledged so far. */
    public long acknowledged() {
        return acknowledged.sum();
    }

    /** Records that failed so far: refused by brokers, timed out, or without room in the buffer. */
    public long refused() {
        return refused.sum();
    }

    /** Bytes sent to the brokers so far, with headers and retries. */
    public double sentBytes() {
        return producers.stream()
                .flatMap(producer -> producer.metrics().entrySet().stream())
                .filter(metric -> metric.getKey().name().equals("outgoing-byte-total"))
                .filter(metric -> metric.getKey().group().equals("producer-metrics"))
                .mapToDouble(metric -> ((Number) metric.getValue().metricValue()).doubleValue())
                .sum();
    }

    @Override
    public void close() {
        stopping = true;
        LockSupport.unpark(pacer);
        try {
            // The pacer must not use a closed producer.
            pacer.join(CLOSE_BOUND.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeProducers();
        }
    }

    /**
     * Closes all producers, also when the thread is interrupted; the interrupt flag is set again
     * afterwards.
     */
    private void closeProducers() {
        boolean interrupted = Thread.interrupted();
        for (KafkaProducer<byte[], byte[]> producer : producers) {
            try {
                producer.close(Duration.ZERO);
            } catch (InterruptException asked) {
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
