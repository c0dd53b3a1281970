/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.receive;

import io.phasewise.canary.trip.Delivery;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;

/**
 * Says from which broker a partition's records are fetched, by the Kafka consumer's own metric: a
 * consumer that has said its rack may be sent to a follower (KIP-392). Which broker leads is left
 * to others. Used by the polling thread only.
 */
final class ReadReplica {
    private static final String METRIC = "preferred-read-replica";

    private final String topic;
    private final Map<Integer, Metric> metrics = new HashMap<>();
    private Consumer<?, ?> consumer;

    /**
     * @param topic whose partitions are asked for
     */
    ReadReplica(String topic) {
        this.topic = topic;
    }

    /** Asks another consumer from now on. */
    void use(Consumer<?, ?> consumer) {
        this.consumer = consumer;
        metrics.clear();
    }

    /**
     * The follower that the partition is fetched from at the moment, or {@link
     * Delivery#BY_THE_LEADER}.
     */
    int of(int partition) {
        Metric metric = metrics.get(partition);
        if (metric == null) {
            metric = find(partition);
            if (metric == null) {
                return Delivery.BY_THE_LEADER; // the consumer has not fetched from it yet
            }
            metrics.put(partition, metric);
        }
        return metric.metricValue() instanceof Integer broker && broker >= 0 ? broker : Delivery.BY_THE_LEADER;
    }

    private Metric find(int partition) {
        String number = String.valueOf(partition);
        return consumer.metrics().entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(METRIC))
                .filter(entry -> topic.equals(entry.getKey().tags().get("topic")))
                .filter(entry -> number.equals(entry.getKey().tags().get("partition")))
                .findFirst()
                .<Metric>map(Map.Entry::getValue)
                .orElse(null);
    }
}
