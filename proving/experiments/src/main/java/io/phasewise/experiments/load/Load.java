/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.load;

import io.phasewise.experiments.declared.Allowed;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What an application's producers write to a topic with three replicas. It is an open loop: the
 * rate does not depend on how fast the brokers answer. Sending is left to {@link Producers}.
 *
 * @param producers how many share the rate
 * @param recordsPerSecond of all producers together
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
                // So that it does not fill a laptop's disk.
                .configs(Map.of("retention.bytes", "67108864"));
    }
}
