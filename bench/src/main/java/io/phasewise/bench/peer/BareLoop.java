/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.peer;

import io.phasewise.canary.supervise.TimerSlack;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The least that can be measured with Kafka's clients: one producer, one consumer, a difference of
 * two readings of the clock. The peer that the canary is held against; runs as a process of its
 * own.
 *
 * <p>Arrivals are Poisson, as the canary's, and timed as exactly. Latency is taken twice: from
 * send(), which is what a bare loop sees, and from when the record was due, which is what the
 * canary counts. For each line on standard input it prints how many records were delivered since
 * the one before, and the medians of both, in nanoseconds; at the end of the input it ends.
 */
final class BareLoop {
    /** Latencies up to a minute, to three digits. */
    private static final long HIGHEST_NANOS = Duration.ofMinutes(1).toNanos();

    private final Recorder fromSend = new Recorder(HIGHEST_NANOS, 3);
    private final Recorder fromDue = new Recorder(HIGHEST_NANOS, 3);
    private final AtomicBoolean done = new AtomicBoolean();
    private final String topic;
    private final int partitions;

    private BareLoop(String topic, int partitions) {
        this.topic = topic;
        this.partitions = partitions;
    }

    /**
     * Runs until its input ends.
     *
     * @param arguments bootstrap, topic, partitions, records a second, bytes
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        new BareLoop(arguments[1], Integer.parseInt(arguments[2]))
                .run(
                        arguments[0],
                        Double.parseDouble(arguments[3]),
                        Integer.parseInt(arguments[4]));
    }

    private void run(String bootstrap, double rate, int bytes)
            throws IOException, InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(
                                Map.of("bootstrap.servers", bootstrap, "linger.ms", 0),
                                new ByteArraySerializer(),
                                new ByteArraySerializer());
                KafkaConsumer<byte[], byte[]> consumer =
                        new KafkaConsumer<>(
                                Map.of("bootstrap.servers", bootstrap),
                                new ByteArrayDeserializer(),
                                new ByteArrayDeserializer())) {
            List<TopicPartition> all =
                    IntStream.range(0, partitions)
                            .mapToObj(partition -> new TopicPartition(topic, partition))
                            .toList();
            consumer.assign(all);
            consumer.seekToEnd(all);
            all.forEach(consumer::position);
            Thread reader = new Thread(() -> read(consumer), "read");
            Thread writer = new Thread(() -> send(producer, rate, bytes), "write");
            reader.start();
            writer.start();
            BufferedReader marks =
                    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
            while (marks.readLine() != null) {
                Histogram sends = fromSend.getIntervalHistogram();
                Histogram dues = fromDue.getIntervalHistogram();
                System.out.printf(
                        "%d %d %d%n",
                        sends.getTotalCount(),
                        sends.getValueAtPercentile(50),
                        dues.getValueAtPercentile(50));
            }
            done.set(true);
            writer.join();
            reader.join();
        }
    }

    private void send(KafkaProducer<byte[], byte[]> producer, double rate, int bytes) {
        TimerSlack.least();
        SplittableRandom random = new SplittableRandom();
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        ByteBuffer buffer = ByteBuffer.wrap(value);
        long start = System.nanoTime();
        double elapsed = 0;
        for (int i = 0; !done.get(); i++) {
            elapsed -= Math.log(1 - random.nextDouble()) * 1e9 / rate;
            long due = start + (long) elapsed;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            // The producer copies it before send() returns.
            buffer.putLong(0, due).putLong(Long.BYTES, System.nanoTime());
            producer.send(new ProducerRecord<>(topic, i % partitions, null, value));
        }
    }

    private void read(KafkaConsumer<byte[], byte[]> consumer) {
        while (!done.get()) {
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
