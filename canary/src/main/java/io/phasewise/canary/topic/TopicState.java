/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;

/**
 * What the cluster looks like to the planner; how it is found out is left to {@link TopicObserver}.
 *
 * @param brokers the cluster's members, live or not, by ascending id
 * @param partitions the topic's partitions by ascending number; empty when the topic does not exist
 * @param config the topic's settings; empty when they could not be read, which {@code configKnown}
 *     tells
 * @param configKnown whether {@code config} is what the cluster says
 * @param topicId as Kafka prints it; empty while not known
 */
public record TopicState(
        List<Broker> brokers,
        List<Partition> partitions,
        Map<String, String> config,
        boolean configKnown,
        String topicId) {

    /** A state in which the topic's id is not known. */
    public TopicState(
            List<Broker> brokers, List<Partition> partitions, Map<String, String> config, boolean configKnown) {
        this(brokers, partitions, config, configKnown, "");
    }

    /** What Kafka prints as the id of a topic that has none. */
    private static final String NO_ID = Uuid.ZERO_UUID.toString();

    /** Stands for the leader's id where a partition has no leader. */
    public static final int NO_LEADER = -1;

    /**
     * A member of the cluster.
     *
     * @param id broker id
     * @param host advertised host, empty when not known
     * @param port advertised port, -1 when not known
     * @param rack its rack, or null
     * @param live whether it takes part now; a member that does not may come back
     */
    public record Broker(int id, String host, int port, String rack, boolean live) {}

    /**
     * A partition of the topic.
     *
     * @param number from 0
     * @param leader broker id, or {@link #NO_LEADER}
     * @param replicas broker ids, the preferred leader first; not empty
     * @param inSync those of them in sync
     */
    public record Partition(int number, int leader, List<Integer> replicas, List<Integer> inSync) {
        /** The broker that should lead it. */
        public int preferredLeader() {
            return replicas.get(0);
        }
    }

    public TopicState {
        brokers = sorted(brokers, Comparator.comparingInt(Broker::id));
        partitions = sorted(partitions, Comparator.comparingInt(Partition::number));
        config = Collections.unmodifiableMap(new TreeMap<>(config));
    }

    /** Whether the topic exists. */
    public boolean exists() {
        return !partitions.isEmpty();
    }

    /**
     * Whether it is the topic that had an id before. For a topic without an id the answer is no:
     * before Kafka 2.8 all topics have the same, empty id.
     *
     * @param knownId as Kafka prints it; empty when none was seen
     */
    public boolean hasId(String knownId) {
        return !knownId.isEmpty() && !knownId.equals(NO_ID) && knownId.equals(topicId);
    }

    /** The partition that measures a broker: the lowest one whose preferred leader it is. */
    public Optional<Partition> partitionOf(int broker) {
        return partitions.stream().filter(p -> p.preferredLeader() == broker).findFirst();
    }

    private static <T> List<T> sorted(List<T> list, Comparator<T> order) {
        List<T> copy = new ArrayList<>(list);
        copy.sort(order);
        return Collections.unmodifiableList(copy);
    }
}
