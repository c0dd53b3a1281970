/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.overload;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultException;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A broker with one request handler, which is never idle: producers send it batches that it has to
 * compress itself, each the next one as soon as the one before is answered. As many requests wait
 * as there are producers, so everybody's requests queue; one processor is busy, not all of them.
 *
 * @param broker its id
 * @param producers each with a connection of its own and one request under way
 * @param batchBytes what the handler compresses for one request; decides how long it takes
 */
public record BusyHandlers(int broker, int producers, int batchBytes) implements Fault {
    public BusyHandlers {
        Allowed.range("producers", producers, 1, 1_000);
        Allowed.range("batch-bytes", batchBytes, 1, 900_000);
    }

    private static final String TOPICS = "phasewise-lab-busy-";
    private static final String THREADS = "num.io.threads";
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** Kafka halves or doubles the number of threads at most, one step at a time. */
    private static final List<String> DOWN = List.of("2", "1");

    /** The handler's work: gzip at its slowest, which the producers leave to the broker. */
    private static final Map<String, String> COMPRESSED = Map.of(
            "compression.type", "gzip",
            "compression.gzip.level", "9",
            "min.insync.replicas", "1",
            "retention.bytes", "67108864");

    @Override
    public Broken begin(FaultTarget target) throws IOException, InterruptedException {
        KafkaCluster cluster = target.cluster();
        return begin(cluster.admin(), cluster.clientProperties());
    }

    /**
     * The same on brokers that something else has started.
     *
     * @param admin open until the fault is mended
     * @param client properties of a client of these brokers
     */
    public Broken begin(Admin admin, Map<String, Object> client) throws IOException, InterruptedException {
        Work work = new Work(admin);
        return Broken.after(() -> work.begin(client), work);
    }

    /** One for each broker that is kept busy. */
    private String topic() {
        return TOPICS + broker;
    }

    /** Letters of a small alphabet: gzip finds much to try and little to leave out. */
    private byte[] compressible() {
        byte[] value = new byte[batchBytes];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) ('a' + random.nextInt(8));
        }
        return value;
    }

    /** What keeps the handler busy until this is closed. */
    private final class Work implements Broken {
        private final Admin admin;
        private final byte[] value = compressible();
        private final List<KafkaProducer<byte[], byte[]>> clients = new ArrayList<>();
        private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

        Work(Admin admin) {
            this.admin = admin;
        }

        void begin(Map<String, Object> client) throws InterruptedException {
            for (String threads : DOWN) {
                threads(threads);
            }
            Map<Integer, List<Integer>> there = Map.of(0, List.of(broker));
            Administration.create(admin, new NewTopic(topic(), there).configs(COMPRESSED));
            for (int i = 0; i < producers; i++) {
                clients.add(producer(client));
                send(clients.get(i));
            }
        }

        /** The next one when this one is answered, well or ill; ends when it is closed. */
        private void send(KafkaProducer<byte[], byte[]> producer) {
            producer.send(new ProducerRecord<>(topic(), 0, null, value), (metadata, ill) -> {
                try {
                    send(producer);
                } catch (IllegalStateException closed) {
                    return;
                } catch (RuntimeException broken) {
                    // Kafka would only log it.
                    failure.set(broken);
                }
            });
        }

        /** Refused as long as the broker has not taken the step before. */
        private void threads(String number) throws InterruptedException {
            String id = Integer.toString(broker);
            Await.that("broker " + id + " takes " + THREADS, BOUND)
                    .every(Duration.ofMillis(200))
                    .until(() -> {
                        Administration.configure(admin, id, THREADS, number);
                        return Optional.empty();
                    });
        }

        @Override
        public void close() throws InterruptedException {
            RuntimeException early = failure.getAndSet(null);
            try {
                clients.forEach(client -> client.close(Duration.ZERO));
            } finally {
                try {
                    // What still waits is served by one thread; then there are more again.
                    threads("2");
                    threads(null);
                } finally {
                    Administration.delete(admin, topic());
                }
            }
            if (early != null) {
                throw FaultException.endedEarly(early);
            }
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> client) {
        Map<String, Object> properties = new HashMap<>(client);
        properties.put("client.id", "lab-busy");
        properties.put("acks", "1");
        properties.put("enable.idempotence", "false");
        properties.put("max.in.flight.requests.per.connection", "1");
        properties.put("batch.size", "1");
        properties.put("enable.metrics.push", "false");
        properties.put("metric.reporters", "");
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }
}
