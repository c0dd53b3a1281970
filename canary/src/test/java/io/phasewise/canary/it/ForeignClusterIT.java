/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same jar against a cluster it did not come with: the oldest Kafka, with encryption and
 * passwords. The newest one with these is {@link BadClustersIT}'s.
 */
@Tag("long")
class ForeignClusterIT {
    @Test
    void measuresTheOldestKafka(@TempDir Path directory) throws Exception {
        try (KafkaCluster cluster =
                TestClusters.secured(directory, Map.of(), "", builder -> builder.version(KafkaVersion.V3_9))) {
            cluster.start();
            String config = """
                    clusters:
                      foreign:
                        bootstrap-servers: %s
                        client: %s
                        topic: {replication-factor: 1}
                        probe: {rate: 10}
                    """.formatted(cluster.bootstrap(), RunningCanary.client(cluster.clientProperties()));
            try (RunningCanary canary = RunningCanary.jar(directory, config, "-Xmx128m")) {
                canary.awaitReady();
                canary.await("probes come back", now -> now.probes("delivered") >= 30);

                JsonNode foreign = canary.cluster("foreign");
                assertThat(foreign.get("problems")).isEmpty();
                assertThat(foreign.at("/brokers/0/endToEnd/p50Seconds").asDouble())
                        .isBetween(0.0001, 5.0);
                assertThat(canary.scrape().conserved("leader=1")).isTrue();
                assertThat(canary.log() + canary.status() + canary.scrape().text())
                        .doesNotContain("admin-secret");
            }
        }
    }
}
