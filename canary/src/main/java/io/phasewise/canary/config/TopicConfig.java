/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The topic that carries the probes, as it should be; how to get there is left to the topic
 * planner.
 *
 * @param name topic name
 * @param adopt whether the topic is for the canary alone, although somebody else created it
 * @param replicationFactor replicas per partition, 1 to 32767
 * @param minInsyncReplicas replicas that must have a record before it is acknowledged with
 *     acks=all, 1 to the replication factor
 * @param config topic-level Kafka settings, sorted by name
 * @param manage which kinds of change the canary may make
 */
public record TopicConfig(
        @Form(value = NAME, allowed = A_NAME) String name,
        boolean adopt,
        @Bounds("1 to 32767") int replicationFactor,
        @Bounds("1 to replication-factor") int minInsyncReplicas,
        Map<String, String> config,
        ManageConfig manage) {
    /** The topic's name unless another one is configured. */
    public static final String DEFAULT_NAME = "phasewise-canary";

    static final String NAME = "(?!\\.{1,2}$)(?!__)[A-Za-z0-9._-]{1,249}";
    static final String A_NAME =
            "a Kafka topic name: letters, digits, dots, dashes, underscores; not two underscores at the start,"
                    + " by which Kafka's own topics are known";

    public TopicConfig {
        config = Collections.unmodifiableMap(new TreeMap<>(config));
    }
}
