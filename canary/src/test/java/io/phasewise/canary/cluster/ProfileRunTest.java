/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.canary.cluster.context.CanaryContext;
import io.phasewise.canary.cluster.context.Contexts;
import io.phasewise.canary.cluster.context.ProfileContext;
import io.phasewise.canary.cluster.reach.BrokerReach;
import io.phasewise.canary.cluster.traffic.Measurement;
import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.Configurations;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.show.metrics.KafkaClients;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProfileRunTest {
    private static final String CONFIG = "canary: {clusters: {gone: {bootstrap-servers: '127.0.0.1:1'}}}";

    private final CountDownLatch ticking = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** A clock that holds up the ticker. */
    private long now() {
        if (Thread.currentThread().getName().startsWith("tick-")) {
            ticking.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return System.nanoTime();
    }

    @Test
    @Timeout(30)
    void probesThatHaveEndedAreShownAlsoWhereItIsInterruptedWhileItStops() throws Exception {
        ClusterConfig config = Configurations.clusters(CONFIG).get(0);
        CanaryContext context = Contexts.context(new PrometheusRegistry(), InstantSource.system(), this::now);
        try (KafkaClients clients = context.kafkaClients()) {
            ProfileContext profile =
                    ProfileContext.of(config, context, new BrokerClocks(), new BrokerReach(), Optional.empty(), 1);
            Measurement measurement = new Measurement(profile);
            ProfileRun run = new ProfileRun(profile, () -> null, measurement);
            run.start();
            ticking.await();
            Ledger ledger = measurement.ledger();
            ledger.lead(0, 1);
            ledger.sendFailed(ledger.scheduled(0, System.nanoTime()));

            Thread.currentThread().interrupt();
            assertThatThrownBy(run::stop).isInstanceOf(InterruptedException.class);

            assertThat(run.status().undeliveredProbes()).hasSize(1);
        } finally {
            released.countDown();
        }
    }
}
