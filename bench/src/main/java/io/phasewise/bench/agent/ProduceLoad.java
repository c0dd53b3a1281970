/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.agent;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Producers in a closed loop, one record and one request at a time each: as many requests as broker
 * and clients can do together, which is the load that a cost for each request shows up in most.
 *
 * @param producers how many at once
 * @param bytes size of a record
 */
record ProduceLoad(int producers, int bytes) {

    static final String TOPIC = "load";

    /**
     * What one run came to.
     *
     * @param requestsPerSecond answered
     * @param p99Millis 99th percentile from send to acknowledgement, exact
     */
    record Outcome(double requestsPerSecond, double p99Millis) {}

    /**
     * Runs it.
     *
     * @throws ExecutionException when a record cannot be produced
     */
    Outcome run(String bootstrap, Duration length) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(producers);
        try {
            List<Callable<long[]>> loops = new ArrayList<>();
            for (int i = 0; i < producers; i++) {
                int partition = i;
                loops.add(() -> loop(bootstrap, partition, length.toNanos()));
            }
            List<long[]> latencies = new ArrayList<>();
            for (Future<long[]> done : threads.invokeAll(loops)) {
                latencies.add(done.get());
            }
            long[] all = latencies.stream().flatMapToLong(LongStream::of).sorted().toArray();
            double p99 = all[(int) Math.ceil(0.99 * all.length) - 1] / 1e6;
            return new Outcome(all.length / (length.toNanos() / 1e9), p99);
        } finally {
            threads.shutdownNow();
        }
    }

    private long[] loop(String bootstrap, int partition, long nanos)
            throws InterruptedException, ExecutionException {
        Map<String, Object> properties = new TreeMap<>();
        properties.put("bootstrap.servers", bootstrap);
        properties.put("acks", "1");
        properties.put("linger.ms", 0);
        properties.put("enable.idempotence", false);
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(TOPIC, partition, null, new byte[bytes]);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            // Connecting is not part of it.
            producer.send(record).get();
            long[] latencies = new long[1 << 12];
            int size = 0;
            long start = System.nanoTime();
            long now = start;
            while (now - start < nanos) {
                producer.send(record).get();
                long done = System.nanoTime();
                if (size == latencies.length) {
                    latencies = Arrays.copyOf(latencies, 2 * size);
                }
                latencies[size++] = done - now;
                now = done;
            }
            return Arrays.copyOf(latencies, size);
        }
    }
}
