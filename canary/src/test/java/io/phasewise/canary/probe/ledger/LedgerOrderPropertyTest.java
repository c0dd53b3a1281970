/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.probe.Event;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * A log that appends every probe at some instant between its dispatch and its acknowledgement never
 * makes a probe out of order, however the lanes let probes overtake each other; one that loses what
 * it had acknowledged does.
 */
class LedgerOrderPropertyTest {
    private enum Kind {
        SCHEDULE,
        APPEND,
        ACKNOWLEDGE,
        READ
    }

    @Provide
    Arbitrary<List<Event<Kind>>> events() {
        return Event.courses(
                Arbitraries.of(Kind.class), 0, Arbitraries.integers().between(0, 99));
    }

    private static final class Run {
        final Ledger ledger = new Ledgers().leading(0, 1);
        final List<Probe> dispatched = new ArrayList<>();
        final List<Probe> log = new ArrayList<>();
        final List<Integer> unacknowledged = new ArrayList<>();
        int acknowledgedUpTo = -1;
        int read;
        long now;

        void step(Event<Kind> event) {
            now++;
            switch (event.kind()) {
                case SCHEDULE -> dispatched.add(ledger.scheduled(0, now));
                case APPEND -> {
                    if (!dispatched.isEmpty()) {
                        unacknowledged.add(log.size());
                        log.add(dispatched.remove(event.pick() % dispatched.size()));
                    }
                }
                case ACKNOWLEDGE -> {
                    if (!unacknowledged.isEmpty()) {
                        acknowledge(unacknowledged.remove(event.pick() % unacknowledged.size()));
                    }
                }
                case READ -> readOne();
            }
        }

        private void acknowledge(int offset) {
            acknowledgedUpTo = Math.max(acknowledgedUpTo, offset);
            ledger.reported(log.get(offset), Ledgers.acknowledged(now, offset));
        }

        void readOne() {
            if (read < log.size()) {
                Ledgers.deliver(ledger, log.get(read), now, read);
                read++;
            }
        }

        long outOfOrder() {
            return ledger.counts().get(0).outOfOrder();
        }
    }

    @Property(tries = 300)
    void overtakingOnLanesIsInOrder(@ForAll("events") List<Event<Kind>> events) {
        Run run = new Run();
        events.forEach(run::step);

        assertThat(run.outOfOrder()).isZero();
    }

    @Property(tries = 300)
    void anAcknowledgedProbeThatTheLogLosesPutsTheNextOneOutOfOrder(
            @ForAll("events") List<Event<Kind>> before,
            @ForAll @IntRange(max = 9) int more,
            @ForAll("events") List<Event<Kind>> after) {
        Run run = new Run();
        before.forEach(run::step);
        Assume.that(run.acknowledgedUpTo >= 1);
        // A new leader whose log ends before what was acknowledged, and nothing under way.
        run.dispatched.clear();
        run.unacknowledged.clear();
        int end = run.acknowledgedUpTo - 1 - more % run.acknowledgedUpTo;
        run.log.subList(end, run.log.size()).clear();
        run.read = Math.min(run.read, end);

        run.log.add(run.ledger.scheduled(0, ++run.now));
        while (run.read < run.log.size()) {
            run.readOne();
        }
        assertThat(run.outOfOrder()).isEqualTo(1);

        after.forEach(run::step);
        assertThat(run.outOfOrder()).as("the new log is in order").isEqualTo(1);
    }
}
