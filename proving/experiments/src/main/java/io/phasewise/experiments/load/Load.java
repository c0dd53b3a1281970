/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.load;

import io.phasewise.experiments.declared.Allowed;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What producers of an application do on a topic with three replicas: open loop, at a rate that
 * does not depend on how the brokers fare; sending is left to the runner.
 *
 * @param producers how many share the rate
 * @param recordsPerSecond all producers together
 * @param recordBytes of each value, half of them random
 * @param partitions of the topic, spread over all brokers
 * @param settings of the Kafka producers; may be left out
 */
public record Load(
        int producers, double recordsPerSecond, int recordBytes, int partitions, Map<String, String> settings) {

    private static final short REPLICAS = 3;

    public Load {
        Allowed.range("producers", producers, 1, 100);
        Allowed.range("records-per-second", recordsPerSecond, 0.001, 1_000_000);
        Allowed.range("record-bytes", recordBytes, 1, 1_000_000);
        Allowed.range("partitions", partitions, 1, 1_000);
        settings = settings == null ? Map.of() : Map.copyOf(settings);
    }

    /** The topic to write to, yet to be made. */
    public NewTopic topic(String name) {
        return new NewTopic(name, partitions, REPLICAS)
                // A laptop's disk is not the experiment.
                .configs(Map.of("retention.bytes", "67108864"));
    }
}
