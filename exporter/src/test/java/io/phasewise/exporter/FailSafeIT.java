/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.kafka.ClusterBuilder;
import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.measure.Scrape;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the exporter's agent does on a broker that it does not know: nothing but say so. */
class FailSafeIT {

    @Test
    void aBrokerOfAnUnknownShapeWorksAndIsNotTimed(@TempDir Path directory) throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        ClusterBuilder description =
                KafkaCluster.builder(root, directory.resolve("cluster"))
                        .shortLived()
                        .jvmOption(
                                RenamingAgent.option(
                                        directory, "org/apache/kafka/network/Request:bodyAndSize"));
        try (ExportingCluster cluster = ExportingCluster.start(description, BrokerAgents.own(1))) {
            cluster.kafka()
                    .withLogsOnFailure(
                            () -> {
                                cluster.kafka().createTopic("orders", 1, 1, Map.of());
                                Traffic traffic = new Traffic(cluster.kafka().clientProperties());
                                traffic.produce("orders", 1, 30);
                                traffic.consume("orders", 1, 30);
                                Scrape own = cluster.scrapeOwn(1);
                                assertThat(own.named("kafka_exporter_request_timing_active"))
                                        .singleElement()
                                        .satisfies(active -> assertThat(active.value()).isZero());
                                assertThat(
                                                own.value(
                                                        "kafka_exporter_hook_failures_total",
                                                        label("hook", "request_timing")))
                                        .isOne();
                                assertThat(
                                                own.value(
                                                        "kafka_exporter_hook_active",
                                                        label("hook", "request_errors")))
                                        .isOne();
                                // The JMX part has what Kafka itself measures of the same requests.
                                assertThat(
                                                own.value(
                                                        "kafka_network_requestmetrics_totaltimems_count",
                                                        label("request", "Produce")))
                                        .isGreaterThanOrEqualTo(30);
                                assertThat(
                                                cluster.kafka()
                                                        .logTails(5_000)
                                                        .lines()
                                                        .filter(
                                                                line ->
                                                                        line.contains(
                                                                                "phasewise-exporter"))
                                                        .filter(line -> line.contains("ERROR")))
                                        .singleElement()
                                        .asString()
                                        .contains(
                                                "request timing is off",
                                                "org.apache.kafka.network.Request has no"
                                                        + " bodyAndSize");
                                return null;
                            });
        }
    }

    /**
     * The hooks of a broker that a record, a topic and a follower come past, and what they call.
     */
    private static final Map<String, List<String>> CALLS =
            Map.of(
                    "request_timing", List.of("timing/RequestAdvice:completed"),
                    "request_errors", List.of("timing/RequestAdvice:failed"),
                    "request_receipts", List.of("marks/MarkAdvice:requestBegins"),
                    "log_appends", List.of("marks/MarkAdvice:logAppends"),
                    "leader_appends", List.of("marks/MarkAdvice:isMarked"),
                    "follower_fetches", List.of("marks/MarkAdvice:isAnyPending"),
                    "watermarks", List.of("marks/MarkAdvice:isAnyPending"),
                    "leadership", List.of("marks/MarkAdvice:leadsNoMore"));

    @Test
    void aBrokerWhoseHooksAllThrowServesOn(@TempDir Path directory) throws Exception {
        Path root = Path.of(System.getProperty("phasewise.root"));
        String[] calls =
                CALLS.values().stream()
                        .flatMap(List::stream)
                        .map(call -> "io/phasewise/exporter/" + call)
                        .toArray(String[]::new);
        ClusterBuilder description =
                KafkaCluster.builder(root, directory.resolve("cluster"))
                        .shortLived()
                        .jvmOption(RenamingAgent.option(directory, calls));
        try (ExportingCluster cluster = ExportingCluster.start(description, BrokerAgents.own(3))) {
            cluster.kafka()
                    .withLogsOnFailure(
                            () -> {
                                cluster.kafka().createTopic("phasewise-canary", 3, 3, Map.of());
                                Traffic traffic = new Traffic(cluster.kafka().clientProperties());
                                traffic.produce("phasewise-canary", 3, 30);
                                traffic.consume("phasewise-canary", 3, 30);
                                for (int broker : cluster.brokers()) {
                                    everyHookHasFailedOnce(cluster.scrapeOwn(broker));
                                }
                                return null;
                            });
        }
    }

    private static void everyHookHasFailedOnce(Scrape own) {
        for (String hook : CALLS.keySet()) {
            assertThat(own.value("kafka_exporter_hook_active", label("hook", hook)))
                    .as(hook)
                    .isZero();
            assertThat(own.value("kafka_exporter_hook_failures_total", label("hook", hook)))
                    .as(hook)
                    .isPositive();
        }
        assertThat(own.named("kafka_network_requestmetrics_totaltimems_count")).isNotEmpty();
    }
}
