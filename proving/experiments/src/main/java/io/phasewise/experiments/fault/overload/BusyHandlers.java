/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.overload;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.ActiveFault;
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
 * A broker with a single request handler, which is never idle. Producers send it batches that it
 * has to compress itself; each sends the next batch as soon as the last one is answered. So as many
 * requests wait as there are producers, and everybody's requests queue behind them. Only one
 * processor is busy.
 *
 * @param broker its id
 * @param producers each with a connection of its own and one request in flight
 * @param batchBytes what the handler compresses for one request; sets how long a request takes
 */
public record BusyHandlers(int broker, int producers, int batchBytes) implements Fault {
    public BusyHandlers {
        Allowed.range("producers", producers, 1, 1_000);
        Allowed.range("batch-bytes", batchBytes, 1, 900_000);
    }

    private static final String TOPICS = "phasewise-lab-busy-";
    private static final String THREADS = "num.io.threads";
    private static final Duration BOUND = Duration.ofSeconds(30);

    /** Kafka at most halves or doubles the number of threads in one step. */
    private static final List<String> DOWN = List.of("2", "1");

    /** The topic has the broker compress with gzip at its slowest. */
    private static final Map<String, String> COMPRESSED = Map.of(
            "compression.type", "gzip",
            "compression.gzip.level", "9",
            "min.insync.replicas", "1",
            "retention.bytes", "67108864");

    @Override
    public ActiveFault begin(FaultTarget target) throws IOException, InterruptedException {
        KafkaCluster cluster = target.cluster();
        return begin(cluster.admin(), cluster.clientProperties());
    }

    /**
     * The same, on brokers that were not started by the lab.
     *
     * @param admin open until the fault is mended
     * @param client properties of a client of these brokers
     */
    public ActiveFault begin(Admin admin, Map<String, Object> client) throws IOException, InterruptedException {
        Work work = new Work(admin);
        return ActiveFault.after(() -> work.begin(client), work);
    }

    /** Each broker that is kept busy has a topic of its own. */
    private String topic() {
        return TOPICS + broker;
    }

    /** Letters of a small alphabet: gzip tries many matches and saves little. */
    private byte[] compressible() {
        byte[] value = new byte[batchBytes];
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) ('a' + random.nextInt(8));
        }
        return value;
    }

    /** Keeps the handler busy until this is closed. */
    private final class Work implements ActiveFault {
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

        /**
         * Sends a record, and the next one as soon as it succeeded or failed, until the producer is
         * closed.
         */
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

        /**
         * Sets the number of handlers. Kafka refuses until the step before has been taken, so it is
         * tried again.
         */
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
                    // One thread serves what still waits; then there are two again, and then the
                    // default.
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
