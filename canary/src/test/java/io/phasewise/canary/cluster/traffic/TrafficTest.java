/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.Contexts;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.cluster.reach.BrokerReach;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.Configurations;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.probe.ledger.LeaderCounts;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.show.metrics.KafkaClients;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Probes of a partition that no client can open. */
class TrafficTest {
    private static final String CONFIG =
            "canary: {clusters: {gone: {bootstrap-servers: '127.0.0.1:1', probe: {rate: 100}}}}";

    private static final class Nobody implements Traffic.Owner {
        @Override
        public void replaced() {}

        @Override
        public void sawOtherRecord(String topicId) {}
    }

    @Test
    void probesOfAPartitionThatCannotBeOpenedEndAsSendFailedUnderItsPreferredLeader() throws Exception {
        ClusterConfig config = Configurations.clusters(CONFIG).get(0);
        AtomicLong skipped = new AtomicLong();
        CanaryContext context = Contexts.context(
                new PrometheusRegistry(), InstantSource.system(), () -> System.nanoTime() + skipped.get());
        Ledger ledger;
        try (KafkaClients clients = context.kafkaClients()) {
            ProfileContext profile =
                    ProfileContext.of(config, context, new BrokerClocks(), new BrokerReach(), Optional.empty(), 1);
            Measurement measurement = new Measurement(profile);
            ledger = measurement.ledger();
            Traffic traffic = new Traffic(profile, measurement, "", new Nobody());
            traffic.start();
            try {
                assertThat(traffic.serve(Map.of(3, 7), Map.of(), false)).isEmpty();
                assertThat(ledger.counts()).as("it may open still").isEmpty();

                skipped.addAndGet(BrokerReach.PATIENCE.toNanos());
                assertThat(traffic.serve(Map.of(3, 7), Map.of(), false)).isEmpty();

                await().atMost(Duration.ofSeconds(10))
                        .until(() -> measurement.ledger().counts().stream()
                                .anyMatch(c -> c.outcomes().sendFailed() > 5));
            } finally {
                traffic.stopSending();
                traffic.close(Duration.ofSeconds(1));
            }
        }
        LeaderCounts counts = ledger.counts().get(0);
        assertThat(ledger.counts()).hasSize(1);
        assertThat(counts.leader()).isEqualTo(7);
        assertThat(counts.verdicts().bad()).isEqualTo(counts.scheduled());
        assertThat(counts.outcomes().sendFailed()).isEqualTo(counts.scheduled());
    }
}
