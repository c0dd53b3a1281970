/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.status.ClusterStatus;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which partition measures which broker, drawn from one look at the cluster; keeping it current is
 * left to {@link ClusterCanary}.
 *
 * @param clusterId Kafka's id of the cluster, or null while unknown
 * @param state the cluster and the topic
 */
record Layout(String clusterId, TopicState state) {
    static final Layout UNKNOWN =
            new Layout(
                    null,
                    new TopicState(java.util.List.of(), java.util.List.of(), Map.of(), false));

    /**
     * The partitions that carry probes, by number: one for each broker that is some partition's
     * preferred leader.
     */
    Map<Integer, Partition> probed() {
        Map<Integer, Partition> probed = new TreeMap<>();
        for (Broker broker : state.brokers()) {
            state.partitionOf(broker.id()).ifPresent(p -> probed.put(p.number(), p));
        }
        return probed;
    }

    /** The topic as shown to the reader, or null when it does not exist. */
    ClusterStatus.Topic topic(String name) {
        return state.exists()
                ? new ClusterStatus.Topic(
                        name,
                        state.partitions().size(),
                        state.partitions().stream()
                                .mapToInt(p -> p.replicas().size())
                                .min()
                                .orElse(0))
                : null;
    }
}
