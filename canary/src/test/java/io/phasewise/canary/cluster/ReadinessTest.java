/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ClusterConfig;
import io.phasewise.canary.config.Configurations;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Ledgers;
import io.phasewise.canary.probe.ledger.Probe;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private static final long MS = 1_000_000;

    private final Ledger ledger = new Ledgers().leading(0, 1);
    private Readiness readiness;

    @BeforeEach
    void configure() throws Exception {
        ClusterConfig config = Configurations.clusters(Configurations.prod("")).get(0);
        readiness = new Readiness(config); // patience: 5 s + 10 / (20/s) = 5.5 s
    }

    @Test
    void aBrokerIsReadyFromAProbeThatCameBackUntilNoneDoesAnyMore() {
        Probe probe = ledger.scheduled(0, 0);
        assertThat(update(MS)).isEmpty();
        Ledgers.deliver(ledger, probe, 2 * MS, 0);
        assertThat(readiness.update(List.of(2), ledger.counts(), 3 * MS))
                .as("it is not one of those that are to be measured")
                .isEmpty();
        assertThat(update(5_500 * MS)).containsExactly(1);
        assertThat(update(5_501 * MS)).isEmpty();
        assertThat(readiness.ready()).isEmpty();
    }

    @Test
    void aProbeThatComesBackMuchLaterDoesNotMakeItReady() {
        Ledgers.deliver(ledger, ledger.scheduled(0, 0), 9_000 * MS, 0);
        assertThat(update(9_000 * MS)).isEmpty();
    }

    /** The thread that updates it hangs, or fails before it comes to that. */
    @Test
    void whatIsNoLongerLookedAtIsNotReady() {
        Ledgers.deliver(ledger, ledger.scheduled(0, 0), 2 * MS, 0);
        assertThat(update(3 * MS)).containsExactly(1);
        assertThat(readiness.ready(10_003 * MS)).containsExactly(1);

        assertThat(readiness.ready(10_004 * MS)).isEmpty();
    }

    private Set<Integer> update(long now) {
        return readiness.update(List.of(1), ledger.counts(), now);
    }
}
