/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
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

    /**
     * One thing that happens to the log.
     *
     * @param pick which of the probes that it may happen to
     */
    private record Event(Kind kind, int pick) {}

    @Provide
    Arbitrary<List<Event>> events() {
        return Combinators.combine(
                        Arbitraries.of(Kind.class), Arbitraries.integers().between(0, 99))
                .as(Event::new)
                .list()
                .ofMaxSize(600)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    private static final class Run {
        final Ledger ledger = Ledgers.counting();
        final List<Probe> dispatched = new ArrayList<>();
        final List<Probe> log = new ArrayList<>();
        final List<Integer> unacknowledged = new ArrayList<>();
        int acknowledgedUpTo = -1;
        int read;
        long now;

        Run() {
            ledger.lead(0, 1);
        }

        void step(Event event) {
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
            ledger.settled(
                    log.get(offset),
                    new SendResult(List.of(now), now, 1, List.of(), now, 0, offset));
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
    void overtakingOnLanesIsInOrder(@ForAll("events") List<Event> events) {
        Run run = new Run();
        events.forEach(run::step);

        assertThat(run.outOfOrder()).isZero();
    }

    @Property(tries = 300)
    void anAcknowledgedProbeThatTheLogLosesPutsTheNextOneOutOfOrder(
            @ForAll("events") List<Event> before,
            @ForAll @IntRange(max = 9) int more,
            @ForAll("events") List<Event> after) {
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
