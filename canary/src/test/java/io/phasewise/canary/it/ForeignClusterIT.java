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
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The same jar against clusters it did not come with: an older Kafka, encryption and passwords. */
class ForeignClusterIT {
    private static final Path ROOT = Path.of(System.getProperty("phasewise.root"));
    private static final ListenerSecurity SASL_SSL =
            new ListenerSecurity.SaslSsl("admin", "admin-secret", Map.of(), true);

    @TempDir private Path directory;

    static Stream<Arguments> clusters() {
        return Stream.of(
                Arguments.of(KafkaVersion.V3_9, SASL_SSL),
                Arguments.of(KafkaVersion.V4_4, SASL_SSL));
    }

    @ParameterizedTest
    @MethodSource("clusters")
    void measuresIt(KafkaVersion version, ListenerSecurity security) throws Exception {
        try (KafkaCluster cluster =
                KafkaCluster.builder(ROOT, directory.resolve("kafka"))
                        .shortLived()
                        .brokers(1)
                        .version(version)
                        .security(security)
                        .stopGrace(Duration.ZERO)
                        .build()) {
            cluster.start();
            Map<String, Object> client = new TreeMap<>(cluster.clientProperties());
            client.remove("bootstrap.servers");
            Map<String, Object> config =
                    Map.of(
                            "bootstrap-servers", cluster.bootstrap(),
                            "client", client,
                            "topic", Map.of("replication-factor", 1));
            try (CanaryProcess canary = new CanaryProcess(directory, Map.of("foreign", config))) {
                await("ready").atMost(Duration.ofSeconds(60)).until(canary::ready);
                await("probes come back")
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> canary.scrape().delivered(1) >= 30);

                JsonNode foreign = canary.cluster("foreign");
                assertThat(foreign.get("problems")).isEmpty();
                assertThat(
                                foreign.get("brokers")
                                        .get(0)
                                        .get("endToEnd")
                                        .get("p50Seconds")
                                        .asDouble())
                        .isBetween(0.0001, 5.0);
                assertThat(canary.scrape().conserved(1)).isTrue();
                assertThat(canary.log() + canary.status() + canary.scrape().text())
                        .doesNotContain("admin-secret");
            }
        }
    }
}
