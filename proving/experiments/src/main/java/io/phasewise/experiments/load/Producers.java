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
 * Sends a {@link Load} until closed: open loop, each record due at an even distance from the one
 * before, the producers in turn. How it fares with the brokers is left to the canary.
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
     * @param topic exists
     * @param client how to reach the cluster
     * @throws io.phasewise.lab.process.AwaitException when brokers do not tell where the topic is
     * @throws InterruptedException when interrupted; nothing goes on
     */
    public Producers(Load load, String topic, Map<String, Object> client) throws InterruptedException {
        try {
            for (int i = 0; i < load.producers(); i++) {
                producers.add(new KafkaProducer<>(properties(load, client, i)));
            }
            // Without metadata nothing could be sent: asked for before the clock starts.
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
        // An overloaded cluster must not hold up the schedule: what finds no room fails.
        properties.put("max.block.ms", "0");
        properties.put("key.serializer", ByteArraySerializer.class.getName());
        properties.put("value.serializer", ByteArraySerializer.class.getName());
        return properties;
    }

    /**
     * Empty once there are.
     *
     * @throws KafkaException while there are none
     */
    private static Optional<String> metadata(KafkaProducer<byte[], byte[]> producer, String topic)
            throws InterruptedException {
        try {
            producer.partitionsFor(topic);
            return Optional.empty();
        } catch (InterruptException asked) {
            // Kafka leaves the thread interrupted, which would cut short what is still to be
            // undone.
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
            // By another number than the partition's, so that every producer reaches all of them.
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

    /** Records that failed so far: refused by brokers, timed out, or without room in a buffer. */
    public long refused() {
        return refused.sum();
    }

    /** Bytes that left for the brokers so far, headers and what was sent again included. */
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
            // It must not send by a producer that is closed.
            pacer.join(CLOSE_BOUND.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeProducers();
        }
    }

    /** All of them, also where the thread is or gets interrupted, which it still is after. */
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
