/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Brokers in racks, and from which of them a consumer reads; what it sees is the tests'. */
final class Racks {
    private static final String PREFERRED = "kafka_consumer_fetch_manager_preferred_read_replica";

    /** Without the last two a killed broker counts as alive for nine seconds. */
    private static final String IN_RACKS =
            """
            replica.selector.class=org.apache.kafka.common.replica.RackAwareReplicaSelector
            config.providers=env
            config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider
            broker.rack=${env:RACK}
            broker.session.timeout.ms=3000
            broker.heartbeat.interval.ms=500
            """;

    private Racks() {}

    /**
     * Three brokers, each in a rack of its own, {@code rack-1} and so on; a consumer that says its
     * rack is sent to the replica there.
     *
     * @param properties of every broker, one a line
     * @param more what else they are to be
     */
    static KafkaCluster three(
            Path directory, String properties, UnaryOperator<ClusterBuilder> more) {
        return TestClusters.own(
                directory,
                3,
                IN_RACKS + properties,
                builder -> more.apply(builder.environment(id -> Map.of("RACK", "rack-" + id))));
    }

    /**
     * The broker that the partition of a leader is read from, as the Kafka client exports it:
     * negative for the leader, NaN before it is known.
     *
     * @param of the label that tells whose: {@code cluster=...} or {@code profile=...}
     */
    static double readReplica(Scrape scrape, String of, int leader) {
        return scrape.named("kafka_canary_partition_leader_info").keySet().stream()
                .filter(series -> series.contains(Scrape.written(of)))
                .filter(series -> series.contains(Scrape.written(Scrape.leader(leader))))
                .map(series -> series.replaceAll(".*(partition=\"\\d+\").*", "$1"))
                .flatMap(
                        partition ->
                                scrape.named(PREFERRED).entrySet().stream()
                                        .filter(e -> e.getKey().contains(Scrape.written(of)))
                                        .filter(e -> e.getKey().contains(partition)))
                .mapToDouble(Map.Entry::getValue)
                .findFirst()
                .orElse(Double.NaN);
    }
}
