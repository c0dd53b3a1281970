/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;

/** Which bad probes are the canary's own: decided by how much it was paused, not by whether. */
class StalledProbesTest {
    private static final long MS = 1_000_000;

    private LongBinaryOperator stalled = (from, to) -> 0;
    private final Ledger ledger =
            new Ledger(
                    Duration.ofMillis(50),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    leader -> SilentRecorder.INSTANCE,
                    PositionalBreakdowns.INSTANCE,
                    ProbeWitness.NONE,
                    true,
                    (from, to) -> stalled.applyAsLong(from, to));

    StalledProbesTest() {
        ledger.lead(0, 1);
    }

    @Test
    void aProbeThatOnlyTheStallMadeBadIsTheCanarysOwn() {
        stalls(10 * MS, 70 * MS);
        delivered(0, 110 * MS);

        assertThat(counts().verdicts().bad()).isEqualTo(1);
        assertThat(counts().verdicts().stalledBad())
                .as("110 ms less 60 ms is the target")
                .isEqualTo(1);
    }

    @Test
    void aProbeThatIsStillTooSlowWithoutTheStallIsKafkas() {
        stalls(10 * MS, 70 * MS);
        delivered(0, 110 * MS + 1);

        assertThat(counts().verdicts().bad()).isEqualTo(1);
        assertThat(counts().verdicts().stalledBad()).isZero();
    }

    @Test
    void slowKafkaBesideACanaryThatStallsEverySecondIsKafkas() {
        stalled = (from, to) -> (to - from) / 1_000 * 40; // 40 ms of each second
        for (int i = 0; i < 10; i++) {
            delivered(i * 100 * MS, i * 100 * MS + 2_000 * MS);
        }

        assertThat(counts().verdicts().bad()).isEqualTo(10);
        assertThat(counts().verdicts().stalledBad()).isZero();
    }

    @Test
    void aGoodProbeIsNotCountedWhateverTheCanaryDid() {
        stalls(0, 50 * MS);
        delivered(0, 50 * MS);

        assertThat(counts().verdicts().good()).isEqualTo(1);
        assertThat(counts().verdicts().stalledBad()).isZero();
    }

    @Test
    void aProbeUnderWayIsJudgedAtTheDeadlineByItsTimeSoFar() {
        stalls(0, 60 * MS);
        ledger.scheduled(0, 0);
        ledger.sweep(5_000 * MS + 1);
        assertThat(counts().verdicts().bad()).isEqualTo(1);
        assertThat(counts().verdicts().stalledBad())
                .as("5 s less 60 ms is beyond the target")
                .isZero();

        stalls(0, 20_000 * MS);
        ledger.delivered(0, 0, new Delivery(20_010 * MS, 0, 0));
        assertThat(counts().verdicts().bad()).as("once").isEqualTo(1);
        assertThat(counts().verdicts().stalledBad()).as("decided with the verdict").isZero();
    }

    @Test
    void whatWasUnderWayWhileTheProcessWasSuspendedIsTheCanarysOwn() {
        ledger.scheduled(0, 0);
        ledger.scheduled(0, 40_000 * MS);
        stalls(10 * MS, 90_000 * MS);
        ledger.sweep(90_010 * MS);

        assertThat(counts().lost()).isEqualTo(1);
        assertThat(counts().verdicts().bad()).isEqualTo(2);
        assertThat(counts().verdicts().stalledBad()).isEqualTo(2);
    }

    @Test
    void aLostProbeThatArrivesBeforeTheSweepIsDecidedTheSameWay() {
        ledger.scheduled(0, 0);
        stalls(10 * MS, 90_000 * MS);
        ledger.delivered(0, 0, new Delivery(90_005 * MS, 0, 0));

        assertThat(counts().lost()).isEqualTo(1);
        assertThat(counts().verdicts().stalledBad()).isEqualTo(1);
    }

    @Test
    void aFailedSendIsNeverTheCanarysOwn() {
        Probe probe = ledger.scheduled(0, 0);
        stalls(0, 60 * MS);
        ledger.sendFailed(probe);

        assertThat(counts().verdicts().bad()).isEqualTo(1);
        assertThat(counts().verdicts().stalledBad()).isZero();
    }

    private void stalls(long begin, long end) {
        stalled = (from, to) -> Math.max(0, Math.min(to, end) - Math.max(from, begin));
    }

    private void delivered(long due, long at) {
        Probe probe = ledger.scheduled(0, due);
        ledger.delivered(0, probe.sequence(), new Delivery(at, 0, probe.sequence()));
    }

    private LeaderCounts counts() {
        return ledger.counts().get(0);
    }
}
