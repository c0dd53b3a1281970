/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One step towards the topic as it should be; making it is left to {@link TopicApplier}. */
public sealed interface Change {

    /** The setting under {@code topic.manage} that allows this kind of change. */
    default String kind() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /**
     * The right that Kafka asks for before it makes this change, in words.
     *
     * @param topic the topic's name
     */
    default String right(String topic) {
        if (this instanceof Create) {
            return "Create on topic " + topic;
        }
        if (this instanceof Expand) {
            return "Alter on topic " + topic;
        }
        return this instanceof Configure ? "AlterConfigs on topic " + topic : "Alter on the cluster";
    }

    /**
     * Create the topic.
     *
     * @param assignments replicas of each partition, in order, the preferred leader first
     * @param config its settings
     */
    record Create(List<List<Integer>> assignments, Map<String, String> config) implements Change {}

    /**
     * Add partitions at the end.
     *
     * @param total partitions there are then
     * @param assignments replicas of each new one, in order
     */
    record Expand(int total, List<List<Integer>> assignments) implements Change {}

    /**
     * Give a partition other replicas, or another order of the same.
     *
     * @param partition the partition
     * @param replicas all of them, the preferred leader first
     */
    record Reassign(int partition, List<Integer> replicas) implements Change {}

    /**
     * Hand leadership back to the preferred leader.
     *
     * @param partition the partition
     */
    record Elect(int partition) implements Change {}

    /**
     * Alter settings of the topic; those not named stay.
     *
     * @param config names and new values
     */
    record Configure(Map<String, String> config) implements Change {}
}
