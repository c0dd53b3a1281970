/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.canary.topic.Ownership;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which partition measures which broker, drawn from one look at the cluster; keeping it current is
 * left to {@code ProfileRun}.
 *
 * @param clusterId Kafka's id of the cluster, or null while unknown
 * @param state the cluster and the topic
 * @param probed the partitions that carry probes, by number: one for each broker that is some
 *     partition's preferred leader
 */
public record ProbeAssignment(String clusterId, TopicState state, Map<Integer, Partition> probed) {
    public static final ProbeAssignment UNKNOWN =
            new ProbeAssignment(null, new TopicState(List.of(), List.of(), Map.of(), false), false);

    /**
     * As one look showed it.
     *
     * @param maySend whether the topic is the canary's to send into; otherwise no partition carries
     *     probes
     */
    public ProbeAssignment(String clusterId, TopicState state, boolean maySend) {
        this(clusterId, state, maySend ? probed(state) : Map.of());
    }

    private static Map<Integer, Partition> probed(TopicState state) {
        Map<Integer, Partition> probed = new TreeMap<>();
        for (Broker broker : state.brokers()) {
            state.partitionOf(broker.id()).ifPresent(p -> probed.put(p.number(), p));
        }
        return Collections.unmodifiableMap(probed);
    }

    /** Ids of the cluster's brokers, live or not. */
    public Set<Integer> members() {
        return state.brokers().stream().map(Broker::id).collect(Collectors.toSet());
    }

    /** The partition that measures a broker; null where none does. */
    public Integer partitionOf(int broker) {
        return state.partitionOf(broker)
                .map(Partition::number)
                .filter(probed::containsKey)
                .orElse(null);
    }

    /** The partitions that carry probes, each with its preferred leader. */
    public Map<Integer, Integer> preferredLeaders() {
        Map<Integer, Integer> preferred = new HashMap<>();
        probed.forEach((number, partition) -> preferred.put(number, partition.preferredLeader()));
        return preferred;
    }

    /**
     * The brokers that lead the partition that measures them.
     *
     * @param leaders by partition
     */
    public List<Integer> leading(Map<Integer, Integer> leaders) {
        return probed.values().stream()
                .filter(p -> Objects.equals(leaders.get(p.number()), p.preferredLeader()))
                .map(Partition::preferredLeader)
                .toList();
    }

    /** The topic as shown to the reader, or null when it does not exist. */
    public ClusterStatus.Topic topic(String name, Ownership ownership) {
        return state.exists()
                ? new ClusterStatus.Topic(
                        name,
                        state.partitions().size(),
                        state.partitions().stream()
                                .mapToInt(p -> p.replicas().size())
                                .min()
                                .orElse(0),
                        ownership.label())
                : null;
    }
}
