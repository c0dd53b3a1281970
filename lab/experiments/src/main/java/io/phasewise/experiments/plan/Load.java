/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.util.Map;

/**
 * What producers of an application do: open loop, at a rate that does not depend on how the brokers
 * fare; sending is left to the runner.
 *
 * @param producers how many share the rate
 * @param recordsPerSecond all producers together
 * @param recordBytes of each value, half of them random
 * @param partitions of the topic, spread over all brokers
 * @param replicationFactor of the topic
 * @param properties of the Kafka producers
 * @param topic settings of the topic
 */
public record Load(
        int producers,
        double recordsPerSecond,
        int recordBytes,
        int partitions,
        int replicationFactor,
        Map<String, String> properties,
        Map<String, String> topic) {

    public Load {
        properties = Map.copyOf(properties);
        topic = Map.copyOf(topic);
    }

    /** On a topic with no settings of its own. */
    public Load(
            int producers,
            double recordsPerSecond,
            int recordBytes,
            int partitions,
            int replicationFactor,
            Map<String, String> properties) {
        this(
                producers,
                recordsPerSecond,
                recordBytes,
                partitions,
                replicationFactor,
                properties,
                Map.of());
    }

    /** The same on a topic with these settings. */
    public Load on(Map<String, String> settings) {
        return new Load(
                producers,
                recordsPerSecond,
                recordBytes,
                partitions,
                replicationFactor,
                properties,
                settings);
    }
}
