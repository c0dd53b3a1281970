/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends bursts at a steady pace, each burst to one partition and the partitions in turn, whatever
 * the brokers do: about a request for each burst.
 */
final class SteadyLoad implements AutoCloseable {
    private final KafkaProducer<byte[], byte[]> producer;
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Starts.
     *
     * @param clientId of the producer
     * @param partitions of the topic
     * @param burstsPerSecond and in each so many records
     * @param bytes of a record
     */
    SteadyLoad(
            String bootstrap,
            String clientId,
            String topic,
            int partitions,
            int burstsPerSecond,
            int records,
            int bytes) {
        Map<String, Object> properties = new TreeMap<>();
        properties.put("bootstrap.servers", bootstrap);
        properties.put("client.id", clientId);
        properties.put("linger.ms", 0);
        producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
        long interval = 1_000_000_000L / burstsPerSecond;
        thread =
                new Thread(
                        () -> {
                            byte[] value = new byte[bytes];
                            long due = System.nanoTime();
                            for (int i = 0; !closed; i++) {
                                for (int j = 0; j < records; j++) {
                                    sent.incrementAndGet();
                                    producer.send(
                                            new ProducerRecord<>(
                                                    topic, i % partitions, null, value),
                                            (metadata, failure) -> {
                                                if (failure != null && !closed) {
                                                    failures.incrementAndGet();
                                                }
                                            });
                                }
                                due += interval;
                                LockSupport.parkNanos(due - System.nanoTime());
                            }
                        },
                        clientId);
        thread.start();
    }

    /** Records handed to the producer so far. */
    long sent() {
        return sent.get();
    }

    /** Records that could not be sent so far. */
    long failures() {
        return failures.get();
    }

    @Override
    public void close() {
        closed = true;
        producer.close();
    }
}
