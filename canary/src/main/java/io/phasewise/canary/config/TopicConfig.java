/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The topic that carries the probes, as it should be; how to get there is left to the topic
 * planner.
 *
 * @param name topic name
 * @param replicationFactor replicas per partition, 1 to 32767
 * @param minInsyncReplicas replicas that must have a record before it is acknowledged with
 *     acks=all, 1 to the replication factor
 * @param config topic-level Kafka settings, sorted by name
 * @param manage which kinds of change the canary may make
 */
public record TopicConfig(
        String name,
        int replicationFactor,
        int minInsyncReplicas,
        Map<String, String> config,
        ManageConfig manage) {
    public TopicConfig {
        Objects.requireNonNull(name);
        config = java.util.Collections.unmodifiableMap(new TreeMap<>(config));
        Objects.requireNonNull(manage);
    }

    /** The same under another name. */
    TopicConfig named(String other) {
        return new TopicConfig(other, replicationFactor, minInsyncReplicas, config, manage);
    }
}
