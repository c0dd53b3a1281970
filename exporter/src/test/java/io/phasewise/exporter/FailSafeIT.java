/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.measure.Scrape;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the exporter's agent does on a broker that it does not know: nothing but say so. */
class FailSafeIT {

    @Test
    void aBrokerOfAnUnknownShapeWorksAndIsNotTimed(@TempDir Path directory) throws Exception {
        String renaming =
                RenamingAgent.option(directory, "org/apache/kafka/network/Request:bodyAndSize");
        ExportingCluster.alone(
                directory.resolve("cluster"),
                BrokerAgents.own(1),
                description -> description.jvmOption(renaming),
                cluster -> {
                    work(cluster, "orders", 1);

                    Scrape own = cluster.scrapeOwn(1);
                    assertThat(own.value("kafka_exporter_request_timing_active")).isZero();
                    assertThat(failures(own, "request_timing")).isOne();
                    assertThat(active(own, "request_errors")).isOne();
                    // The JMX part has what Kafka itself measures of the same requests.
                    assertThat(
                                    own.value(
                                            "kafka_network_requestmetrics_totaltimems_count",
                                            label("request", "Produce")))
                            .isGreaterThanOrEqualTo(30);
                    assertThat(cluster.kafka().logTails(5_000).lines())
                            .filteredOn(line -> line.contains("ERROR phasewise-exporter"))
                            .singleElement()
                            .asString()
                            .contains(
                                    "request timing is off",
                                    "org.apache.kafka.network.Request has no bodyAndSize");
                });
    }

    /**
     * The hooks of a broker that a record, a topic and a follower come past, and what they call.
     */
    private static final Map<String, String> CALLS =
            Map.of(
                    "request_timing", "timing/RequestAdvice:completed",
                    "request_errors", "timing/RequestAdvice:failed",
                    "request_receipts", "marks/MarkAdvice:requestBegins",
                    "log_appends", "marks/MarkAdvice:logAppends",
                    "leader_appends", "marks/MarkAdvice:isMarked",
                    "follower_fetches", "marks/MarkAdvice:isAnyPending",
                    "watermarks", "marks/MarkAdvice:isAnyPending",
                    "leadership", "marks/MarkAdvice:leadsNoMore");

    @Test
    void aBrokerWhoseHooksAllThrowServesOn(@TempDir Path directory) throws Exception {
        String renaming =
                RenamingAgent.option(
                        directory,
                        CALLS.values().stream()
                                .map(call -> "io/phasewise/exporter/" + call)
                                .toArray(String[]::new));
        ExportingCluster.alone(
                directory.resolve("cluster"),
                BrokerAgents.own(3),
                description -> description.jvmOption(renaming),
                cluster -> {
                    work(cluster, "phasewise-canary", 3);

                    for (int broker : cluster.brokers()) {
                        Scrape own = cluster.scrapeOwn(broker);
                        for (String hook : CALLS.keySet()) {
                            assertThat(active(own, hook)).as(hook).isZero();
                            assertThat(failures(own, hook)).as(hook).isPositive();
                        }
                        assertThat(own.named("kafka_network_requestmetrics_totaltimems_count"))
                                .isNotEmpty();
                    }
                });
    }

    /** Thirty records go in and come out. */
    private static void work(ExportingCluster cluster, String topic, int partitions)
            throws Exception {
        cluster.kafka().createTopic(topic, partitions, partitions, Map.of());
        Traffic traffic = cluster.traffic();
        traffic.produce(topic, partitions, 30);
        traffic.consume(topic, partitions, 30);
    }

    private static double active(Scrape own, String hook) {
        return own.value("kafka_exporter_hook_active", label("hook", hook));
    }

    private static double failures(Scrape own, String hook) {
        return own.value("kafka_exporter_hook_failures_total", label("hook", hook));
    }
}
