/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Brokers in racks, and from which of them a consumer reads; what it sees is the tests'. */
final class Racks {
    private Racks() {}

    /**
     * Three brokers, each in a rack of its own, {@code rack-1} and so on; a consumer that says its
     * rack is sent to the replica there.
     *
     * @param more what else they are to be
     */
    static KafkaCluster three(Path directory, UnaryOperator<ClusterBuilder> more) {
        return TestClusters.three(
                directory,
                builder ->
                        more.apply(
                                builder.brokerProperty(
                                                "replica.selector.class",
                                                "org.apache.kafka.common.replica.RackAwareReplicaSelector")
                                        .brokerProperty("config.providers", "env")
                                        .brokerProperty(
                                                "config.providers.env.class",
                                                "org.apache.kafka.common.config.provider.EnvVarConfigProvider")
                                        .brokerProperty("broker.rack", "${env:RACK}")
                                        // Otherwise a killed broker counts as alive for nine
                                        // seconds.
                                        .brokerProperty("broker.session.timeout.ms", "3000")
                                        .brokerProperty("broker.heartbeat.interval.ms", "500")
                                        .environment(id -> Map.of("RACK", "rack-" + id))));
    }

    /**
     * The broker that the partition of a leader is read from, as the Kafka client exports it:
     * negative for the leader, NaN before it is known.
     *
     * @param of the label that tells whose, see {@link PhaseSums#profile}
     */
    static double readReplica(Scrape scrape, String of, int leader) {
        return scrape.values().keySet().stream()
                .filter(key -> key.startsWith("kafka_canary_partition_leader_info{"))
                .filter(key -> key.contains(of) && key.contains(CanaryPages.leader(leader)))
                .map(key -> key.replaceAll(".*(partition=\"\\d+\").*", "$1"))
                .findFirst()
                .map(partition -> replicaOf(scrape, of, partition))
                .orElse(Double.NaN);
    }

    private static double replicaOf(Scrape scrape, String of, String partition) {
        String name = "kafka_consumer_fetch_manager_preferred_read_replica{";
        return scrape.values().entrySet().stream()
                .filter(e -> e.getKey().startsWith(name))
                .filter(e -> e.getKey().contains(of) && e.getKey().contains(partition))
                .mapToDouble(Map.Entry::getValue)
                .findFirst()
                .orElse(Double.NaN);
    }
}
