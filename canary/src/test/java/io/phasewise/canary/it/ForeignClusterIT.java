/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import io.phasewise.lab.kafka.ListenerSecurity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same jar against a cluster it did not come with: the oldest Kafka, with encryption and
 * passwords. The newest one with these is {@link BadClustersIT}'s.
 */
@Tag("long")
class ForeignClusterIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));

    @TempDir private Path directory;

    @Test
    void measuresTheOldestKafka() throws Exception {
        try (KafkaCluster cluster =
                KafkaCluster.builder(ROOT, directory.resolve("kafka"))
                        .shortLived()
                        .brokers(1)
                        .version(KafkaVersion.V3_9)
                        .security(
                                new ListenerSecurity.SaslSsl(
                                        "admin", "admin-secret", Map.of(), true))
                        .stopGrace(Duration.ZERO)
                        .build()) {
            cluster.start();
            Map<String, Object> client = new TreeMap<>(cluster.clientProperties());
            client.remove("bootstrap.servers");
            Map<String, Object> config =
                    Map.of(
                            "bootstrap-servers", cluster.bootstrap(),
                            "client", client,
                            "topic", Map.of("replication-factor", 1),
                            "probe", Map.of("rate", 10));
            try (CanaryProcess canary = new CanaryProcess(directory, Map.of("foreign", config))) {
                await("ready").atMost(Duration.ofSeconds(60)).until(canary::ready);
                await("probes come back")
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> CanaryPages.delivered(canary.scrape(), 1) >= 30);

                JsonNode foreign = canary.cluster("foreign");
                assertThat(foreign.get("problems")).isEmpty();
                assertThat(
                                foreign.get("brokers")
                                        .get(0)
                                        .get("endToEnd")
                                        .get("p50Seconds")
                                        .asDouble())
                        .isBetween(0.0001, 5.0);
                assertThat(CanaryPages.conserved(canary.scrape(), 1)).isTrue();
                assertThat(canary.log() + canary.status() + canary.scrape().text())
                        .doesNotContain("admin-secret");
            }
        }
    }
}
