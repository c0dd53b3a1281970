/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phase.PhaseBreakdown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever happens to probes, in whatever order, the ledger's invariants hold. */
class LedgerPropertyTest {
    private static final long MS = 1_000_000;
    private static final int PARTITIONS = 3;

    private static final class Run {
        final Random random;
        final List<Probe> all = new ArrayList<>();
        long observed;
        long now;
        final Ledger ledger =
                new Ledger(
                        Duration.ofMillis(50),
                        Duration.ofMillis(500),
                        Duration.ofMillis(3000),
                        leader ->
                                new LatencyRecorder() {
                                    @Override
                                    public void endToEnd(Probe probe, long nanos) {
                                        observed++;
                                    }

                                    @Override
                                    public void producer(long nanos) {}

                                    @Override
                                    public void phases(Probe probe, PhaseBreakdown phases) {}
                                },
                        PositionalBreakdowns.INSTANCE,
                        ProbeWitness.NONE);

        Run(long seed) {
            random = new Random(seed);
            for (int p = 0; p < PARTITIONS; p++) {
                ledger.lead(p, p);
            }
        }

        void step() {
            now += random.nextInt(40) * MS;
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> all.add(ledger.scheduled(random.nextInt(PARTITIONS), now));
                case 3, 4, 5 -> deliver();
                case 6 -> any().ifPresent(ledger::sendFailed);
                case 7 -> ledger.sweep(now);
                case 8 -> ledger.lead(random.nextInt(PARTITIONS), random.nextInt(4));
                default -> any().ifPresent(p -> ledger.acknowledged(p, now));
            }
        }

        /**
         * Mostly a recent probe, in any order; sometimes an old one, again, or one of a former
         * life.
         */
        private void deliver() {
            if (random.nextInt(20) == 0) {
                ledger.delivered(
                        random.nextInt(PARTITIONS + 1),
                        random.nextInt(2000),
                        new Delivery(now, Delivery.NO_APPEND_TIME, 0));
            } else {
                any().ifPresent(
                                p ->
                                        ledger.delivered(
                                                p.partition(),
                                                p.sequence(),
                                                new Delivery(now, Delivery.NO_APPEND_TIME, 0)));
            }
        }

        private java.util.Optional<Probe> any() {
            if (all.isEmpty()) {
                return java.util.Optional.empty();
            }
            int back =
                    random.nextInt(4) == 0
                            ? random.nextInt(all.size())
                            : random.nextInt(Math.min(8, all.size()));
            return java.util.Optional.of(all.get(all.size() - 1 - back));
        }
    }

    @Property(tries = 300)
    void everyScheduledProbeIsAccountedForOnceAtEveryInstant(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int steps) {
        Run run = new Run(seed);
        for (int i = 0; i < steps; i++) {
            run.step();
            assertThat(run.ledger.counts())
                    .allSatisfy(
                            c -> {
                                assertThat(c.conserved()).as("%s", c).isTrue();
                                assertThat(c.inFlight()).isNotNegative();
                                assertThat(c.good() + c.bad())
                                        .isBetween(c.scheduled() - c.inFlight(), c.scheduled());
                            });
        }
        assertThat(sum(run, LeaderCounts::scheduled)).isEqualTo(run.all.size());
    }

    @Property(tries = 300)
    void afterTheHorizonEveryProbeHasEndedAndHasOneVerdict(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int steps) {
        Run run = new Run(seed);
        for (int i = 0; i < steps; i++) {
            run.step();
        }

        run.ledger.sweep(run.now + 3001 * MS);

        assertThat(sum(run, LeaderCounts::inFlight)).isZero();
        assertThat(sum(run, c -> c.good() + c.bad())).isEqualTo(run.all.size());
    }

    @Property(tries = 300)
    void everyProbeThatCameBackIsObservedExactlyOnce(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int steps) {
        Run run = new Run(seed);
        for (int i = 0; i < steps; i++) {
            run.step();
        }

        assertThat(run.observed)
                .isEqualTo(sum(run, c -> c.delivered() + c.late() + c.resurfaced()));
    }

    private static long sum(Run run, java.util.function.ToLongFunction<LeaderCounts> what) {
        return run.ledger.counts().stream().mapToLong(what).sum();
    }
}
