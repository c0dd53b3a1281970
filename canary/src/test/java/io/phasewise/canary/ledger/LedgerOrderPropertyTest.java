/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * A log that appends every probe at some instant between its dispatch and its acknowledgement never
 * makes a probe out of order, however the lanes let probes overtake each other; one that loses what
 * it had acknowledged does.
 */
class LedgerOrderPropertyTest {
    private static final class Run {
        final Random random;
        final Ledger ledger =
                new Ledger(
                        Duration.ofMillis(50),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        leader -> SilentRecorder.INSTANCE,
                        PositionalBreakdowns.INSTANCE,
                        ProbeWitness.NONE);
        final List<Probe> dispatched = new ArrayList<>();
        final List<Probe> log = new ArrayList<>();
        final List<Integer> unacknowledged = new ArrayList<>();
        int acknowledgedUpTo = -1;
        int read;
        long now;

        Run(long seed) {
            random = new Random(seed);
            ledger.lead(0, 1);
        }

        void step() {
            now++;
            switch (random.nextInt(4)) {
                case 0 -> dispatched.add(ledger.scheduled(0, now));
                case 1 -> {
                    if (!dispatched.isEmpty()) {
                        unacknowledged.add(log.size());
                        log.add(dispatched.remove(random.nextInt(dispatched.size())));
                    }
                }
                case 2 -> {
                    if (!unacknowledged.isEmpty()) {
                        acknowledge(unacknowledged.remove(random.nextInt(unacknowledged.size())));
                    }
                }
                default -> readOne();
            }
        }

        private void acknowledge(int offset) {
            acknowledgedUpTo = Math.max(acknowledgedUpTo, offset);
            ledger.settled(
                    log.get(offset), new Sending(List.of(now), now, 1, List.of(), now, 0, offset));
        }

        void readOne() {
            if (read < log.size()) {
                ledger.delivered(
                        0,
                        log.get(read).sequence(),
                        new Delivery(now, Delivery.NO_APPEND_TIME, read));
                read++;
            }
        }

        long outOfOrder() {
            return ledger.counts().get(0).outOfOrder();
        }
    }

    @Property(tries = 300)
    void overtakingOnLanesIsInOrder(@ForAll long seed) {
        Run run = new Run(seed);
        for (int i = 0; i < 500; i++) {
            run.step();
        }

        assertThat(run.outOfOrder()).isZero();
    }

    @Property(tries = 300)
    void anAcknowledgedProbeThatTheLogLosesPutsTheNextOneOutOfOrder(@ForAll long seed) {
        Run run = new Run(seed);
        do {
            run.step();
        } while (run.acknowledgedUpTo < 20);
        // A new leader whose log ends before what was acknowledged, and nothing under way.
        run.dispatched.clear();
        run.unacknowledged.clear();
        int end = run.acknowledgedUpTo - 1 - run.random.nextInt(10);
        run.log.subList(end, run.log.size()).clear();
        run.read = Math.min(run.read, end);

        run.log.add(run.ledger.scheduled(0, ++run.now));
        while (run.read < run.log.size()) {
            run.readOne();
        }
        assertThat(run.outOfOrder()).isEqualTo(1);

        for (int i = 0; i < 100; i++) {
            run.step();
        }
        assertThat(run.outOfOrder()).as("the new log is in order").isEqualTo(1);
    }
}
