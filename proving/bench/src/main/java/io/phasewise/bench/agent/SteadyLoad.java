/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends bursts of records at a steady pace, whatever the brokers do. Each burst goes to one
 * partition, the partitions take turns. A burst makes about one request.
 */
final class SteadyLoad implements AutoCloseable {
    private final String topic;
    private final int partitions;
    private final int records;
    private final byte[] value;
    private final KafkaProducer<byte[], byte[]> producer;
    private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
    private final AtomicLong failures = new AtomicLong();
    private int bursts;

    /**
     * @param partitions of the topic
     * @param records in a burst
     * @param bytes of a record
     */
    SteadyLoad(String bootstrap, String clientId, String topic, int partitions, int records, int bytes) {
        this.topic = topic;
        this.partitions = partitions;
        this.records = records;
        this.value = new byte[bytes];
        this.producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", bootstrap,
                        "client.id", clientId,
                        "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Begins. */
    void start(int burstsPerSecond) {
        pace.scheduleAtFixedRate(this::burst, 0, 1_000_000_000L / burstsPerSecond, TimeUnit.NANOSECONDS);
    }

    private void burst() {
        int partition = bursts++ % partitions;
        for (int i = 0; i < records; i++) {
            producer.send(new ProducerRecord<>(topic, partition, null, value), (metadata, failure) -> {
                if (failure != null && !pace.isShutdown()) {
                    failures.incrementAndGet();
                }
            });
        }
    }

    /** Records that could not be sent so far. */
    long failures() {
        return failures.get();
    }

    @Override
    public void close() {
        pace.shutdownNow();
        producer.close();
    }
}
