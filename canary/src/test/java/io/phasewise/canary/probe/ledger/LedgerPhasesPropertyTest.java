/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.estimate.PhaseEstimator;
import io.phasewise.canary.phases.Acks;
import io.phasewise.canary.phases.Attribution;
import io.phasewise.canary.phases.BrokerClocks;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.phases.PollLog;
import io.phasewise.canary.phases.ProbeObservation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * In whatever order acknowledgements, failures, deliveries and clock readings come, the phases that
 * are handed on are those of the latencies that are: as many, and with the same sum.
 */
class LedgerPhasesPropertyTest {
    private static final long MS = 1_000_000;

    private static final class Run {
        final Random random;
        final List<Probe> all = new ArrayList<>();
        final PollLog polls = new PollLog(3_000 * MS, 100);
        long now;
        final RecordedLatencies latencies = new RecordedLatencies();
        final Ledger ledger;

        Run(long seed) {
            random = new Random(seed);
            Acks acks = Acks.values()[random.nextInt(3)];
            ledger =
                    new Ledger(
                            Duration.ofMillis(50),
                            Duration.ofMillis(500),
                            Duration.ofMillis(3_000),
                            leader -> latencies,
                            new PhaseEstimator(
                                    acks,
                                    Attribution.CRITICAL_PATH,
                                    polls,
                                    new BrokerClocks(),
                                    null),
                            ProbeWitness.NONE);
            ledger.lead(0, 0);
            ledger.lead(1, 1);
        }

        void step() {
            now += random.nextInt(40) * MS + random.nextInt(1_000);
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> all.add(ledger.scheduled(random.nextInt(2), now));
                case 3, 4, 5 -> poll();
                case 6, 7, 8 -> settle();
                default -> ledger.sweep(now);
            }
        }

        private void poll() {
            if (all.isEmpty()) {
                return;
            }
            Probe probe = any();
            polls.entered(now);
            now += random.nextInt(5) * MS;
            polls.left(now, new int[] {probe.partition()}, random.nextInt(2));
            // A broker's clock that jumps about must not unsettle anything.
            long stamp =
                    random.nextInt(4) == 0
                            ? Delivery.NO_APPEND_TIME
                            : 1_000_000 + now / MS + random.nextInt(9) - 4;
            ledger.delivered(probe.partition(), probe.sequence(), new Delivery(now, stamp, 0));
        }

        private void settle() {
            if (all.isEmpty()) {
                return;
            }
            Probe probe = any();
            List<Long> dispatches = new ArrayList<>();
            for (long at = probe.dueNanos(); random.nextInt(3) > 0 && dispatches.size() < 3; ) {
                at += random.nextInt(30) * MS;
                dispatches.add(at);
            }
            boolean failed = random.nextInt(4) == 0;
            if (failed) {
                ledger.sendFailed(probe);
            }
            ledger.settled(
                    probe,
                    new SendResult(
                            dispatches,
                            failed ? ProbeObservation.UNKNOWN : now,
                            random.nextInt(3),
                            List.of(),
                            probe.dueNanos() + random.nextInt(30) * MS,
                            0,
                            SendResult.NO_OFFSET));
        }

        private Probe any() {
            int back =
                    random.nextInt(4) == 0
                            ? random.nextInt(all.size())
                            : random.nextInt(Math.min(8, all.size()));
            return all.get(all.size() - 1 - back);
        }
    }

    @Property(tries = 300)
    void phasesSumToTheLatenciesOfExactlyTheProbesThatCameBack(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 600) int steps) {
        Run run = new Run(seed);
        for (int i = 0; i < steps; i++) {
            run.step();
            assertThat(run.latencies.phases.size())
                    .isLessThanOrEqualTo(run.latencies.endToEnd.size());
        }

        run.ledger.sweep(run.now + Ledger.PATIENCE.toNanos() + 1);

        assertThat(run.latencies.phases).hasSameSizeAs(run.latencies.endToEnd);
        assertThat(run.latencies.phases.stream().mapToLong(PhaseBreakdown::total).sum())
                .isEqualTo(run.latencies.endToEnd.stream().mapToLong(Long::longValue).sum());
    }
}
