/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LedgerConcurrencyTest {
    private static final long MS = 1_000_000;

    @Test
    void everyReadingOfTheCountsIsConservedWhileSenderReceiverAndSweepRun() throws Exception {
        Ledger ledger = new Ledgers().leading(0, 1);
        int probes = 50_000;
        BlockingQueue<Probe> way = new ArrayBlockingQueue<>(100);
        AtomicBoolean torn = new AtomicBoolean();
        Thread receiver = new Thread(() -> receive(ledger, way, probes));
        Thread reader = new Thread(() -> {
            while (receiver.isAlive()) {
                torn.compareAndSet(false, !Conservation.holds(ledger.counts().get(0)));
            }
        });
        receiver.start();
        reader.start();
        for (int i = 0; i < probes; i++) {
            way.put(ledger.scheduled(0, i * MS));
            if (i % 100 == 0) {
                ledger.sweep(i * MS);
            }
        }
        receiver.join();
        reader.join();
        ledger.sweep((probes + 60_001) * MS);

        LeaderCounts counts = ledger.counts().get(0);
        assertThat(torn).isFalse();
        assertThat(Conservation.holds(counts)).isTrue();
        assertThat(counts.scheduled()).isEqualTo(probes);
        assertThat(counts.inFlight()).isZero();
        assertThat(counts.verdicts().good() + counts.verdicts().bad()).isEqualTo(probes);
    }

    /** Of each 77 probes 11 have failed and six never come back. */
    private static void receive(Ledger ledger, BlockingQueue<Probe> way, int probes) {
        try {
            for (int i = 0; i < probes; i++) {
                Probe probe = way.take();
                long at = probe.dueNanos() + i % 300 * MS;
                if (i % 7 == 0) {
                    ledger.sendFailed(probe);
                } else if (i % 11 != 0) {
                    Ledgers.deliver(ledger, probe, at, 0);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
