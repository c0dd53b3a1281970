/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import static io.phasewise.exporter.Patience.await;
import static io.phasewise.lab.measure.Scrape.label;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.BrokerLogs;
import io.phasewise.lab.junit.ScrapedPage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Brokers of a shape that the agent does not know, or whose hooks throw, work as before. */
class FailSafeIT {

    private static final String COUNT = "kafka_network_requestmetrics_totaltimems_count";
    private static final Map<String, String> PRODUCE = Map.of("request", "Produce");

    /**
     * The hooks of a broker that a record, a topic and a follower come past, and what they call.
     */
    private static final Map<String, String> CALLS = Map.of(
            "request_timing", "io/phasewise/exporter/timing/RequestAdvice:completed",
            "request_errors", "io/phasewise/exporter/timing/RequestAdvice:failed",
            "request_receipts", "io/phasewise/exporter/marks/MarkAdvice:requestBegins",
            "log_appends", "io/phasewise/exporter/marks/MarkAdvice:logAppends",
            "leader_appends", "io/phasewise/exporter/marks/MarkAdvice:isMarked",
            "follower_fetches", "io/phasewise/exporter/marks/MarkAdvice:isAnyPending",
            "watermarks", "io/phasewise/exporter/marks/MarkAdvice:isAnyPending",
            "leadership", "io/phasewise/exporter/marks/MarkAdvice:leadsNoMore",
            "network_threads", "io/phasewise/exporter/marks/NetworkAdvice:threadBegins",
            "replica_fetches", "io/phasewise/exporter/marks/FollowerAdvice:sends");

    /** The first has requests of an unknown shape; all hooks of the others throw. */
    @Test
    void brokersServeOnWithoutTheHooksThatTheyLose(@TempDir Path directory) throws Exception {
        String unknown = RenamingAgent.option(directory, "org/apache/kafka/network/Request:bodyAndSize");
        String[] calls = CALLS.values().toArray(String[]::new);
        String throwing = RenamingAgent.option(directory, calls);
        ExportingCluster.alone(
                directory.resolve("cluster"),
                BrokerAgents.own(3),
                description -> description.jvmOption(id -> id == 1 ? unknown : throwing),
                cluster -> {
                    cluster.kafka().createTopic("phasewise-canary", 3, 3, Map.of());
                    cluster.traffic().produce("phasewise-canary", 3, 30);
                    cluster.traffic().consume("phasewise-canary", 3, 30);

                    // What Kafka itself measures of requests is there on all of them.
                    await("Kafka counts on all of them")
                            .untilAsserted(() -> assertThat(cluster.series(COUNT, PRODUCE))
                                    .hasSize(3)
                                    .allMatch(series -> series.value() >= 10));
                    theFirstIsNotTimedAndSaysWhy(cluster);
                    for (int broker : List.of(2, 3)) {
                        ScrapedPage own = cluster.scrapeOwn(broker);
                        for (String hook : CALLS.keySet()) {
                            assertThat(active(own, hook)).as(hook).isZero();
                            assertThat(failures(own, hook)).as(hook).isPositive();
                        }
                    }
                });
    }

    private static void theFirstIsNotTimedAndSaysWhy(ExportingCluster cluster) throws Exception {
        ScrapedPage own = cluster.scrapeOwn(1);
        assertThat(own.value("kafka_exporter_request_timing_active")).isZero();
        assertThat(failures(own, "request_timing")).isOne();
        assertThat(active(own, "request_errors")).isOne();
        assertThat(BrokerLogs.tails(cluster.kafka(), 5_000).lines())
                .filteredOn(line -> line.contains("network.Request has no bodyAndSize"))
                .singleElement()
                .asString()
                .contains("ERROR phasewise-exporter", "request timing is off");
    }

    private static double active(ScrapedPage own, String hook) {
        return own.value("kafka_exporter_hook_active", label("hook", hook));
    }

    private static double failures(ScrapedPage own, String hook) {
        return own.value("kafka_exporter_hook_failures_total", label("hook", hook));
    }
}
