/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.exporter.BrokerAgents;
import io.phasewise.exporter.ExportingCluster;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.kafka.KafkaVersion;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The agent on a broker of Kafka 3.9, whose classes are of another shape than those of 4.x: that
 * requests are timed and pushes received. All that is timed: {@code RequestTimingMatrixIT}.
 */
@Tag("long")
class OldestKafkaIT {

    @TempDir static Path directory;
    private static ExportingCluster cluster;

    @BeforeAll
    static void start() throws InterruptedException {
        Path root = Path.of(System.getProperty("phasewise.root"));
        cluster =
                ExportingCluster.start(
                        KafkaCluster.builder(root, directory)
                                .shortLived()
                                .version(KafkaVersion.V3_9)
                                .brokerProperty(
                                        "metric.reporters",
                                        "org.apache.kafka.common.metrics.JmxReporter,"
                                                + ClientMetricsReceiver.class.getName()),
                        BrokerAgents.own(1));
        PushChecks.subscribe(cluster);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void requestsAreTimed() throws Exception {
        cluster.kafka()
                .withLogsOnFailure(
                        () -> {
                            assertThat(
                                            cluster.series(
                                                    "kafka_exporter_request_timing_active",
                                                    Map.of()))
                                    .singleElement()
                                    .satisfies(
                                            active -> {
                                                assertThat(active.value()).isOne();
                                                assertThat(active.labels().get("kafka_version"))
                                                        .startsWith("3.9.");
                                            });
                            cluster.kafka().createTopic("timed", 2, 1, Map.of());
                            double count = timed("_count");
                            double seconds = timed("_sum");
                            PushChecks.produce(cluster, "timed", "timed");
                            // A response is timed after it was sent.
                            await("each request is counted once")
                                    .atMost(PushChecks.PATIENCE)
                                    .untilAsserted(
                                            () ->
                                                    assertThat(timed("_count"))
                                                            .isEqualTo(count + PushChecks.RECORDS));
                            assertThat((timed("_sum") - seconds) / PushChecks.RECORDS)
                                    .as("mean in s")
                                    .isBetween(0.000_01, 10.0);
                            return null;
                        });
    }

    private static double timed(String suffix) throws Exception {
        return cluster.sum(
                "kafka_request_phase_seconds" + suffix,
                Map.of("request", "Produce", "phase", "total"));
    }

    @Test
    void pushesAreReceivedAndABombDoesNotUnfold() throws Exception {
        cluster.kafka()
                .withLogsOnFailure(
                        () -> {
                            cluster.kafka().createTopic("pushing", 2, 1, Map.of());
                            double tooLarge = PushChecks.pushes(cluster, "too_large");
                            PushChecks.refuse(cluster);
                            assertThat(PushChecks.pushes(cluster, "too_large"))
                                    .isEqualTo(tooLarge + 1);
                            PushChecks.produce(cluster, "pushing", "after");
                            PushChecks.assertProduced(cluster, "after", PushChecks.RECORDS);
                            assertThat(cluster.series("kafka_exporter_hook_active", Map.of()))
                                    .hasSize(4)
                                    .allSatisfy(hook -> assertThat(hook.value()).isOne());
                            return null;
                        });
    }
}
