/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** One step towards the topic as it should be; making it is left to {@link TopicApplier}. */
public sealed interface Change {

    /** The setting under {@code topic.manage} that allows this kind of change. */
    default String kind() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** What it does, for the reader, without the topic's name: "add 1 partition". */
    String words();

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
        return this instanceof Configure || this instanceof Mark
                ? "AlterConfigs on topic " + topic
                : "Alter on the cluster";
    }

    /**
     * Create the topic.
     *
     * @param assignments replicas of each partition, in order, the preferred leader first
     * @param config its settings
     * @param marks settings that say that a canary created it; the first that the cluster accepts
     *     is set in the same request, and without one it is not created
     */
    record Create(List<List<Integer>> assignments, Map<String, String> config, List<Map<String, String>> marks)
            implements Change {
        @Override
        public String words() {
            return "create it with %d partitions and %s".formatted(assignments.size(), listed(config));
        }

        /** The command with which somebody else can create the same topic. */
        public String command(String topic) {
            String replicas = assignments.stream()
                    .map(each -> each.stream().map(String::valueOf).collect(joining(":")))
                    .collect(joining(","));
            String settings = new TreeMap<>(config)
                    .entrySet().stream()
                            .map(each -> " --config " + each.getKey() + "=" + each.getValue())
                            .collect(joining());
            return "kafka-topics.sh --create --topic " + topic + " --replica-assignment " + replicas + settings;
        }
    }

    /**
     * Add partitions at the end.
     *
     * @param total partitions there are then
     * @param assignments replicas of each new one, in order
     */
    record Expand(int total, List<List<Integer>> assignments) implements Change {
        @Override
        public String words() {
            return "add %d %s".formatted(assignments.size(), assignments.size() == 1 ? "partition" : "partitions");
        }
    }

    /**
     * Give a partition other replicas, or the same in another order.
     *
     * @param partition the partition
     * @param replicas all of them, the preferred leader first
     */
    record Reassign(int partition, List<Integer> replicas) implements Change {
        @Override
        public String words() {
            return "move partition %d to brokers %s".formatted(partition, replicas);
        }
    }

    /**
     * Hand leadership back to the preferred leader.
     *
     * @param partition the partition
     */
    record Elect(int partition) implements Change {
        @Override
        public String words() {
            return "give leadership of partition %d to its preferred leader".formatted(partition);
        }
    }

    /**
     * Alter settings of the topic; those not named stay.
     *
     * @param config names and new values
     */
    record Configure(Map<String, String> config) implements Change {
        @Override
        public String words() {
            return "set " + listed(config);
        }
    }

    /**
     * Mark a topic that exists as a canary's.
     *
     * @param marks settings that do so; the first that the cluster accepts is set
     */
    record Mark(List<Map<String, String>> marks) implements Change {
        @Override
        public String kind() {
            return "configure";
        }

        @Override
        public String words() {
            return "mark it as a canary's";
        }
    }

    private static String listed(Map<String, String> config) {
        return new TreeMap<>(config)
                .entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .collect(joining(", "));
    }
}
