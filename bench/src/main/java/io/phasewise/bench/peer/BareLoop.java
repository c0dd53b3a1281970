/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.peer;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
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
 * <p>Arrivals are Poisson, as the canary's. Latency is taken twice: from send(), which is what a
 * bare loop sees, and from when the record was due, which is what the canary counts.
 */
public final class BareLoop {
    private static final int ARGUMENTS = 8;

    /** Latencies up to a minute, to three digits. */
    private static final long HIGHEST_NANOS = Duration.ofMinutes(1).toNanos();

    private final Histogram fromSend = new Histogram(HIGHEST_NANOS, 3);
    private final Histogram fromDue = new Histogram(HIGHEST_NANOS, 3);

    private BareLoop() {}

    /**
     * Runs, prints one line and ends.
     *
     * @param arguments bootstrap, topic, partitions, records a second, acks, bytes, seconds to warm
     *     up, seconds to measure
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments.length != ARGUMENTS) {
            System.err.println(
                    "usage: BareLoop BOOTSTRAP TOPIC PARTITIONS RATE ACKS BYTES WARM_UP SECONDS");
            System.exit(2);
        }
        new BareLoop()
                .run(
                        arguments[0],
                        arguments[1],
                        Integer.parseInt(arguments[2]),
                        Double.parseDouble(arguments[3]),
                        arguments[4],
                        Integer.parseInt(arguments[5]),
                        Long.parseLong(arguments[6]),
                        Long.parseLong(arguments[7]));
    }

    private void run(
            String bootstrap,
            String topic,
            int partitions,
            double rate,
            String acks,
            int bytes,
            long warmUpSeconds,
            long seconds)
            throws InterruptedException {
        Map<String, Object> producerProperties =
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "acks",
                        acks,
                        "linger.ms",
                        "0",
                        "key.serializer",
                        ByteArraySerializer.class,
                        "value.serializer",
                        ByteArraySerializer.class);
        Map<String, Object> consumerProperties =
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "enable.auto.commit",
                        "false",
                        "key.deserializer",
                        ByteArrayDeserializer.class,
                        "value.deserializer",
                        ByteArrayDeserializer.class);
        AtomicBoolean done = new AtomicBoolean();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(producerProperties);
                KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(consumerProperties)) {
            List<TopicPartition> all =
                    IntStream.range(0, partitions)
                            .mapToObj(partition -> new TopicPartition(topic, partition))
                            .toList();
            consumer.assign(all);
            consumer.seekToEnd(all);
            all.forEach(consumer::position);
            long measureFrom = System.nanoTime() + Duration.ofSeconds(warmUpSeconds).toNanos();
            long end = measureFrom + Duration.ofSeconds(seconds).toNanos();
            Thread reader = new Thread(() -> read(consumer, measureFrom, done), "read");
            reader.start();
            send(producer, topic, partitions, rate, bytes, end);
            producer.flush();
            Thread.sleep(500);
            done.set(true);
            reader.join();
        }
        System.out.printf(
                Locale.ROOT,
                "records=%d p50=%d p99=%d mean=%.0f dueP50=%d dueP99=%d dueMean=%.0f%n",
                fromSend.getTotalCount(),
                fromSend.getValueAtPercentile(50),
                fromSend.getValueAtPercentile(99),
                fromSend.getMean(),
                fromDue.getValueAtPercentile(50),
                fromDue.getValueAtPercentile(99),
                fromDue.getMean());
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer,
            String topic,
            int partitions,
            double rate,
            int bytes,
            long end) {
        SplittableRandom random = new SplittableRandom();
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        ByteBuffer buffer = ByteBuffer.wrap(value);
        long start = System.nanoTime();
        double elapsed = 0;
        int partition = 0;
        while (true) {
            elapsed -= Math.log(1 - random.nextDouble()) * 1e9 / rate;
            long due = start + (long) elapsed;
            if (due - end > 0) {
                return;
            }
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            // The producer copies it before send() returns.
            buffer.putLong(0, due).putLong(Long.BYTES, System.nanoTime());
            producer.send(new ProducerRecord<>(topic, partition, null, value));
            partition = (partition + 1) % partitions;
        }
    }

    private void read(
            KafkaConsumer<byte[], byte[]> consumer, long measureFrom, AtomicBoolean done) {
        while (!done.get()) {
            var records = consumer.poll(Duration.ofMillis(200));
            long now = System.nanoTime();
            for (ConsumerRecord<byte[], byte[]> record : records) {
                ByteBuffer value = ByteBuffer.wrap(record.value());
                long due = value.getLong();
                if (due - measureFrom >= 0) {
                    fromDue.recordValue(now - due);
                    fromSend.recordValue(now - value.getLong());
                }
            }
        }
    }
}
