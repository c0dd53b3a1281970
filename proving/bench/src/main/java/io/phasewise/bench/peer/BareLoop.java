/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.peer;

import io.phasewise.canary.supervise.TimerSlack;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The simplest measurement with Kafka's clients: one producer, one consumer, the difference of two
 * readings of the clock. The canary is compared with it.
 *
 * <p>Arrivals are Poisson, as the canary's are, and as exactly timed. There are two latencies: from
 * send(), as a simple loop would measure, and from the due time of the record, as the canary does.
 */
public final class BareLoop implements AutoCloseable {
    /** Latencies up to a minute, to three digits. */
    private static final long HIGHEST_NANOS = Duration.ofMinutes(1).toNanos();

    private final Recorder fromSend = new Recorder(HIGHEST_NANOS, 3);
    private final Recorder fromDue = new Recorder(HIGHEST_NANOS, 3);
    private final String bootstrap;
    private final List<TopicPartition> partitions;
    private volatile boolean done;

    /** Prepares a loop for all partitions of a topic. */
    public BareLoop(String bootstrap, String topic, int partitions) {
        this.bootstrap = bootstrap;
        this.partitions = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    /**
     * Medians of one window, of the time until poll() returned the record.
     *
     * @param fromSend seconds since send()
     * @param fromDue seconds since the due time
     */
    public record Reading(double fromSend, double fromDue) {}

    /**
     * Starts it.
     *
     * @param rate records a second over all partitions
     * @param bytes of a record
     */
    public void start(int rate, int bytes) {
        List.of(new Thread(this::read, "read"), new Thread(() -> send(rate, bytes), "write"))
                .forEach(thread -> {
                    thread.setDaemon(true);
                    thread.start();
                });
    }

    /** Begins a window: records received so far do not count. */
    public void begin() {
        fromSend.reset();
        fromDue.reset();
    }

    /**
     * Ends a window.
     *
     * @throws IOException when no record was received since it began
     */
    public Reading end() throws IOException {
        return new Reading(median(fromSend), median(fromDue));
    }

    private static double median(Recorder window) throws IOException {
        long nanos = window.getIntervalHistogram().getValueAtPercentile(50);
        if (nanos == 0) {
            throw new IOException("the bare loop received nothing");
        }
        return nanos / 1e9;
    }

    private void send(double rate, int bytes) {
        TimerSlack.least();
        SplittableRandom random = new SplittableRandom();
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        ByteBuffer buffer = ByteBuffer.wrap(value);
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            long start = System.nanoTime();
            double elapsed = 0;
            for (int i = 0; !done; i++) {
                elapsed -= Math.log(1 - random.nextDouble()) * 1e9 / rate;
                long due = start + (long) elapsed;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                // The producer copies it before send() returns.
                buffer.putLong(0, due).putLong(Long.BYTES, System.nanoTime());
                TopicPartition to = partitions.get(i % partitions.size());
                producer.send(new ProducerRecord<>(to.topic(), to.partition(), null, value));
            }
        }
    }

    private void read() {
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            while (!done) {
                var records = consumer.poll(Duration.ofMillis(200));
                long now = System.nanoTime();
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    ByteBuffer value = ByteBuffer.wrap(record.value());
                    fromDue.recordValue(now - value.getLong());
                    fromSend.recordValue(now - value.getLong());
                }
            }
        }
    }

    /** Makes its threads end soon. */
    @Override
    public void close() {
        done = true;
    }
}
