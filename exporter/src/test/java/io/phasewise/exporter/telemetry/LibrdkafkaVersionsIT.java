/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import static io.phasewise.exporter.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.common.telemetry.PushedMetrics;
import io.phasewise.exporter.BrokerAgents;
import io.phasewise.exporter.ExportingCluster;
import io.phasewise.exporter.TestClusters;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.ops.telemetry.ClientMetricsSubscription;
import io.phasewise.ops.telemetry.ClientMetricsSubscription.Change;
import io.phasewise.ops.telemetry.SubscriptionReview;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real versions of librdkafka under the subscription of earlier releases, which names 29 metrics,
 * and under that of now, which takes its place while they run.
 */
@Tag("long")
class LibrdkafkaVersionsIT {

    @RegisterExtension
    static final ExportingCluster CLUSTER =
            new ExportingCluster(BrokerAgents.own(1), TestClusters.handingOverTo(ClientMetricsExporter.class));

    /** Of confluent-kafka; the librdkafka in them: 2.5.3, 2.6.1, 2.8.0, 2.10.0. */
    private static final List<String> FRAGILE = List.of("2.5.3", "2.6.1", "2.8.2", "2.10.0");

    /** With the librdkafka of the same number, 2.16.0 in the last. */
    private static final List<String> SOUND = List.of("2.10.1", "2.16.1");

    private static final PushChecks CHECKS = new PushChecks(CLUSTER);
    private static final Duration INTERVAL = Duration.ofMillis(500);

    @TempDir
    static Path directory;

    private final Map<String, ManagedProcess> running = new HashMap<>();

    @AfterEach
    void stop() {
        running.values().forEach(ManagedProcess::close);
    }

    @Test
    void whatHarmsOldVersionsIsFoundAndMendedWhileTheyRun() throws Exception {
        CLUSTER.kafka().createTopic("pushing", 1, 1, Map.of());
        ClientMetricsSubscription subscriptions =
                new ClientMetricsSubscription(CLUSTER.kafka().admin());
        String names = String.join(",", PushedMetrics.names(""));
        Map<String, String> old = Map.of("metrics", names, "interval.ms", "500");
        subscriptions.apply(List.of(new Change("phasewise", null, old)));
        start(FRAGILE);
        for (String version : FRAGILE) {
            await(version + " loses connections")
                    .untilAsserted(() -> assertThat(LibrdkafkaClients.lost(running.get(version)))
                            .isNotEmpty()
                            .isNotEqualTo("0"));
        }
        assertThat(CHECKS.pushes("unreadable")).isPositive();
        await("the review names it")
                .ignoreExceptions()
                .until(() -> SubscriptionReview.of(subscriptions.all()).stream()
                        .anyMatch(found -> found.ours().isPresent()
                                && found.subscriptions().equals(List.of("phasewise"))));

        subscriptions.apply(subscriptions.enabling("phasewise", INTERVAL, List.of()));

        await("it is mended")
                .ignoreExceptions()
                .until(() -> SubscriptionReview.of(subscriptions.all()).isEmpty());
        for (String version : FRAGILE) {
            CHECKS.showUncounted(running.get(version), version, "confluent-kafka-python");
        }
        start(SOUND);
        double unreadable = CHECKS.pushes("unreadable");
        Map<String, String> lost = lost();
        double before = CHECKS.sum("producer_uncounted_pushes_total", Map.of());
        for (String version : SOUND) {
            CHECKS.showUncounted(running.get(version), version, "confluent-kafka-python");
        }
        await("everybody has pushed again and again")
                .until(() -> CHECKS.sum("producer_uncounted_pushes_total", Map.of()) > before + 60);
        assertThat(CHECKS.pushes("unreadable")).isEqualTo(unreadable);
        assertThat(lost()).containsAllEntriesOf(lost);
        SOUND.forEach(version ->
                assertThat(LibrdkafkaClients.lost(running.get(version))).isEqualTo("0"));
    }

    private Map<String, String> lost() {
        Map<String, String> all = new HashMap<>();
        FRAGILE.forEach(version -> all.put(version, LibrdkafkaClients.lost(running.get(version))));
        return all;
    }

    private void start(List<String> versions) throws Exception {
        for (String version : versions) {
            LibrdkafkaClients library = new LibrdkafkaClients(version);
            Optional<String> missing = library.install();
            assumeTrue(missing.isEmpty(), missing::get);
            running.put(version, library.start(CLUSTER.kafka().bootstrap(), "pushing", version, directory));
        }
    }
}
