/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** Whatever happens to probes, in whatever order, the ledger's invariants hold. */
class LedgerPropertyTest {
    private static final long MS = 1_000_000;
    private static final int PARTITIONS = 3;

    private enum Kind {
        SCHEDULE,
        DELIVER,
        DELIVER_OF_A_FORMER_LIFE,
        FAIL,
        SWEEP,
        LEAD,
        ACKNOWLEDGE
    }

    /**
     * One thing that happens to a ledger.
     *
     * @param gap milliseconds since the one before
     * @param pick which partition, leader or probe: counted back from the last one
     */
    private record Event(Kind kind, int gap, int pick) {}

    /** Mostly about a recent probe, in any order; sometimes about an old one, again. */
    @Provide
    Arbitrary<List<Event>> events() {
        return Combinators.combine(
                        Arbitraries.frequency(
                                Tuple.of(30, Kind.SCHEDULE),
                                Tuple.of(28, Kind.DELIVER),
                                Tuple.of(2, Kind.DELIVER_OF_A_FORMER_LIFE),
                                Tuple.of(10, Kind.FAIL),
                                Tuple.of(10, Kind.SWEEP),
                                Tuple.of(10, Kind.LEAD),
                                Tuple.of(10, Kind.ACKNOWLEDGE)),
                        Arbitraries.integers().between(0, 39),
                        Arbitraries.frequencyOf(
                                Tuple.of(3, Arbitraries.integers().between(0, 11)),
                                Tuple.of(1, Arbitraries.integers().between(0, 1_999))))
                .as(Event::new)
                .list()
                .ofMaxSize(600)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    private static final class Run {
        final List<Probe> all = new ArrayList<>();
        final RecordedLatencies latencies = new RecordedLatencies();
        long now;
        final Ledger ledger =
                new Ledger(
                        Duration.ofMillis(50),
                        Duration.ofMillis(500),
                        Duration.ofMillis(3000),
                        leader -> latencies,
                        PositionalBreakdowns.INSTANCE,
                        ProbeWitness.NONE);

        Run() {
            for (int p = 0; p < PARTITIONS; p++) {
                ledger.lead(p, p);
            }
        }

        void step(Event event) {
            now += event.gap() * MS;
            int pick = event.pick();
            switch (event.kind()) {
                case SCHEDULE -> all.add(ledger.scheduled(pick % PARTITIONS, now));
                case DELIVER -> picked(pick).ifPresent(p -> deliver(p.partition(), p.sequence()));
                case DELIVER_OF_A_FORMER_LIFE -> deliver(pick % (PARTITIONS + 1), pick);
                case FAIL -> picked(pick).ifPresent(ledger::sendFailed);
                case SWEEP -> ledger.sweep(now);
                case LEAD -> ledger.lead(pick % PARTITIONS, pick % 4);
                case ACKNOWLEDGE -> picked(pick).ifPresent(p -> ledger.acknowledged(p, now));
            }
        }

        private void deliver(int partition, long sequence) {
            ledger.delivered(partition, sequence, new Delivery(now, Delivery.NO_APPEND_TIME, 0));
        }

        private Optional<Probe> picked(int back) {
            return all.isEmpty()
                    ? Optional.empty()
                    : Optional.of(all.get(all.size() - 1 - back % all.size()));
        }
    }

    @Property(tries = 300)
    void everyScheduledProbeIsAccountedForOnceAtEveryInstant(@ForAll("events") List<Event> events) {
        Run run = new Run();
        for (Event event : events) {
            run.step(event);
            assertThat(run.ledger.counts())
                    .allSatisfy(
                            c -> {
                                assertThat(Conservation.holds(c)).as("%s", c).isTrue();
                                assertThat(c.inFlight()).isNotNegative();
                                assertThat(c.verdicts().good() + c.verdicts().bad())
                                        .isBetween(c.scheduled() - c.inFlight(), c.scheduled());
                            });
            assertThat(run.latencies.endToEnd.size())
                    .as("what came back is observed exactly once")
                    .isEqualTo(sum(run, LedgerPropertyTest::cameBack));
        }
        assertThat(sum(run, LeaderCounts::scheduled)).isEqualTo(run.all.size());

        run.ledger.sweep(run.now + 3001 * MS);
        assertThat(sum(run, LeaderCounts::inFlight)).isZero();
        assertThat(sum(run, c -> c.verdicts().good() + c.verdicts().bad()))
                .as("after the horizon each has one verdict")
                .isEqualTo(run.all.size());
    }

    private static long cameBack(LeaderCounts c) {
        return c.outcomes().delivered() + c.outcomes().late() + c.resurfaced();
    }

    private static long sum(Run run, ToLongFunction<LeaderCounts> what) {
        return run.ledger.counts().stream().mapToLong(what).sum();
    }
}
