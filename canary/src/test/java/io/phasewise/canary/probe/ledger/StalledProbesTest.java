/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which bad verdicts are the canary's own: the target allows them without its stalls. */
class StalledProbesTest {
    private static final long MS = 1_000_000;

    private LongBinaryOperator stalled = (from, to) -> 0;
    private final Ledger ledger =
            new Ledgers().stalled((from, to) -> stalled.applyAsLong(from, to)).make();

    StalledProbesTest() {
        ledger.lead(0, 1);
    }

    private void stalls(long begin, long end) {
        stalled = (from, to) -> Math.max(0, Math.min(to, end) - Math.max(from, begin));
    }

    private void assertVerdicts(long good, long bad, long own) {
        assertThat(ledger.verdicts()).isEqualTo(new LeaderCounts.Verdicts(good, bad, own));
    }

    @ParameterizedTest
    @CsvSource({
        "10000, 70000, 110000, 0, 1, 1", // 110 ms less 60 ms is the target
        "10000, 70000, 110001, 0, 1, 0", // Kafka was too slow without the stall, too
        "0, 50000, 50000, 1, 0, 0", // a good one is not counted, whatever the canary did
        "10000, 90000000, 90005000, 0, 1, 1", // lost before the sweep could tell
    })
    void aProbeThatOnlyTheStallMadeBadIsTheCanarysOwn(
            long beginMicros, long endMicros, long backMicros, long good, long bad, long own) {
        stalls(beginMicros * 1_000, endMicros * 1_000);
        ledger.scheduled(0, 0);
        ledger.delivered(0, 0, new Delivery(backMicros * 1_000, 0, 0));
        assertVerdicts(good, bad, own);
    }

    @Test
    void slowKafkaBesideACanaryThatStallsEverySecondIsKafkas() {
        stalled = (from, to) -> (to - from) / 1_000 * 40; // 40 ms of each second
        for (int i = 0; i < 10; i++) {
            Probe probe = ledger.scheduled(0, i * 100 * MS);
            Delivery twoSecondsLater = new Delivery(probe.dueNanos() + 2_000 * MS, 0, i);
            ledger.delivered(0, probe.sequence(), twoSecondsLater);
        }
        assertVerdicts(0, 10, 0);
    }

    @Test
    void aProbeUnderWayIsJudgedAtTheDeadlineByItsTimeSoFar() {
        stalls(0, 60 * MS);
        ledger.scheduled(0, 0);
        ledger.sweep(5_000 * MS + 1);
        assertVerdicts(0, 1, 0); // 5 s less 60 ms is beyond the target

        stalls(0, 20_000 * MS);
        ledger.delivered(0, 0, new Delivery(20_010 * MS, 0, 0));
        assertVerdicts(0, 1, 0); // decided once
    }

    @Test
    void whatWasUnderWayWhileTheProcessWasSuspendedIsTheCanarysOwn() {
        ledger.scheduled(0, 0);
        ledger.scheduled(0, 40_000 * MS);
        stalls(10 * MS, 90_000 * MS);
        ledger.sweep(90_010 * MS);
        assertThat(ledger.counts().get(0).lost()).isEqualTo(1);
        assertVerdicts(0, 2, 2);
    }

    @Test
    void aFailedSendIsNeverTheCanarysOwn() {
        Probe probe = ledger.scheduled(0, 0);
        stalls(0, 60 * MS);
        ledger.sendFailed(probe);
        assertVerdicts(0, 1, 0);
    }
}
