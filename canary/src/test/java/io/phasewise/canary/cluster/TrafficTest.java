/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.breakdown.PhaseEstimator;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.ConfigLoader;
import io.phasewise.canary.ledger.LeaderCounts;
import io.phasewise.canary.ledger.Ledger;
import io.phasewise.canary.ledger.PositionalBreakdowns;
import io.phasewise.canary.ledger.ProbeWitness;
import io.phasewise.canary.ledger.SilentRecorder;
import io.phasewise.canary.metrics.CanaryMetrics;
import io.phasewise.canary.metrics.KafkaClients;
import io.phasewise.canary.phase.Acks;
import io.phasewise.canary.phase.Attribution;
import io.phasewise.canary.phase.PollLog;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Probes of a partition that no client can open. */
class TrafficTest {
    private static final String CONFIG =
            """
            canary:
              clusters:
                gone:
                  bootstrap-servers: 127.0.0.1:1
                  probe:
                    rate: 100
            """;

    @Test
    void probesOfAPartitionThatCannotBeOpenedEndAsSendFailedUnderItsPreferredLeader()
            throws Exception {
        ClusterConfig config =
                new ConfigLoader(Map.of()).load(CONFIG, "test").config().clusters().get(0);
        AtomicLong skipped = new AtomicLong();
        PrometheusRegistry registry = new PrometheusRegistry();
        CanaryMetrics metrics =
                new CanaryMetrics(
                        registry, List.of(), Duration.ofMillis(20), List::of, Labels.EMPTY);
        Ledger ledger =
                new Ledger(
                        Duration.ofMillis(50),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        leader -> SilentRecorder.INSTANCE,
                        PositionalBreakdowns.INSTANCE,
                        ProbeWitness.NONE);
        PollLog polls = new PollLog(60_000_000_000L, 1_000);
        try (KafkaClients clients = new KafkaClients(registry, Labels.EMPTY)) {
            Traffic traffic =
                    new Traffic(
                            config,
                            ledger,
                            metrics.cluster("gone", "default", config.phases()),
                            clients,
                            new PhaseEstimator(Acks.ALL, Attribution.CRITICAL_PATH, polls),
                            polls,
                            1,
                            2,
                            () -> System.nanoTime() + skipped.get());
            traffic.start();
            try {
                assertThat(traffic.serve(Map.of(3, 7), Map.of())).isEmpty();
                assertThat(ledger.counts()).as("it may open still").isEmpty();

                skipped.addAndGet(PartitionGate.PATIENCE.toNanos());
                assertThat(traffic.serve(Map.of(3, 7), Map.of())).isEmpty();

                await().atMost(Duration.ofSeconds(10))
                        .until(() -> ledger.counts().stream().anyMatch(c -> c.sendFailed() > 5));
            } finally {
                traffic.stopSending();
                traffic.close(Duration.ofSeconds(1));
            }
        }
        LeaderCounts counts = ledger.counts().get(0);
        assertThat(ledger.counts()).hasSize(1);
        assertThat(counts.leader()).isEqualTo(7);
        assertThat(counts.bad()).isEqualTo(counts.scheduled());
        assertThat(counts.sendFailed()).isEqualTo(counts.scheduled());
    }
}
