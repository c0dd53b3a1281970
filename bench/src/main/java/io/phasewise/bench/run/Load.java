/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import java.util.Map;

/**
 * What the canary's probes are like in one run, as its configuration.
 *
 * @param topic that it makes, with one partition on each broker
 * @param rate probes a second and partition
 * @param acks all or 1
 * @param replicationFactor of the topic
 * @param size bytes of a probe
 */
public record Load(String topic, double rate, String acks, int replicationFactor, int size) {

    /** The canary's configuration, to be written as JSON, which is YAML. */
    Map<String, Object> configuration(String bootstrap) {
        Map<String, Object> cluster =
                Map.of(
                        "bootstrap-servers", bootstrap,
                        "producer", Map.of("acks", acks),
                        "topic",
                                Map.of(
                                        "name", topic,
                                        "replication-factor", replicationFactor,
                                        "min-insync-replicas", Math.max(1, replicationFactor - 1)),
                        "probe", Map.of("rate", rate, "size", size));
        return Map.of(
                "canary", Map.of("http", Map.of("port", 0), "clusters", Map.of(topic, cluster)));
    }
}
