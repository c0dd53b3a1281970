/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.kafka.KafkaCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Tells when a follower that was paused follows again, which is later than when it was told to go
 * on: a record that waits for it is acknowledged. Nothing of the canary takes part.
 */
final class Followed implements AutoCloseable {
    private static final String TOPIC = "followed";
    private static final long BOUND_SECONDS = 30;

    private final KafkaProducer<byte[], byte[]> producer;
    private final int partitions;
    private final List<CompletableFuture<Long>> waiting = new ArrayList<>();

    /**
     * @param leaders whose followers they are, all the other brokers
     */
    Followed(KafkaCluster cluster, int... leaders) throws Exception {
        Map<Integer, List<Integer>> replicas = new HashMap<>();
        for (int i = 0; i < leaders.length; i++) {
            List<Integer> assigned = new ArrayList<>(List.of(leaders[i]));
            cluster.brokers().stream()
                    .map(broker -> broker.id())
                    .filter(id -> id != assigned.get(0))
                    .forEach(assigned::add);
            replicas.put(i, assigned);
        }
        cluster.admin()
                .createTopics(List.of(new NewTopic(TOPIC, replicas)))
                .all()
                .get(BOUND_SECONDS, TimeUnit.SECONDS);
        Map<String, Object> properties = new HashMap<>(cluster.clientProperties());
        properties.put("acks", "all");
        properties.put("linger.ms", "0");
        producer =
                new KafkaProducer<>(
                        properties, new ByteArraySerializer(), new ByteArraySerializer());
        partitions = leaders.length;
        // Connections and metadata are there from now on.
        begin();
        again();
    }

    /** To be called when the follower is paused. */
    void begin() {
        for (int partition = 0; partition < partitions; partition++) {
            CompletableFuture<Long> acknowledged = new CompletableFuture<>();
            producer.send(
                    new ProducerRecord<>(TOPIC, partition, null, new byte[8]),
                    (metadata, failure) -> {
                        if (failure == null) {
                            acknowledged.complete(System.nanoTime());
                        } else {
                            acknowledged.completeExceptionally(failure);
                        }
                    });
            waiting.add(acknowledged);
        }
    }

    /** Waits until it follows again; when it did, in the mean over the leaders, monotonic. */
    long again() throws Exception {
        long base = System.nanoTime();
        long sum = 0;
        for (CompletableFuture<Long> acknowledged : waiting) {
            sum += acknowledged.get(BOUND_SECONDS, TimeUnit.SECONDS) - base;
        }
        waiting.clear();
        return base + sum / partitions;
    }

    @Override
    public void close() {
        producer.close();
    }
}
