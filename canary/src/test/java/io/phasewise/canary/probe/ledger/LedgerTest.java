/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final long MS = 1_000_000;

    private final RecordedLatencies latencies = new RecordedLatencies();
    private final Witness witness = new Witness();
    private final Ledger ledger = ledger(true);

    private final class Witness implements ProbeWitness {
        final List<String> told = new ArrayList<>();
        boolean locked;

        @Override
        public void seen(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {
            told.add(
                    "seen %d at %d %s"
                            .formatted(probe.sequence(), delivery.offset(), probe.outcome()));
            locked |= Thread.holdsLock(ledger);
        }

        @Override
        public void unseen(Probe probe, Outcome outcome, SendResult sending) {
            String at = sending == null ? "" : " at " + sending.offset();
            told.add("unseen %d %s%s".formatted(probe.sequence(), outcome, at));
            locked |= Thread.holdsLock(ledger);
        }
    }

    private Ledger ledger(boolean sameLog) {
        Ledger made =
                new Ledger(
                        Ledgers.TARGET,
                        Ledgers.DEADLINE,
                        Ledgers.HORIZON,
                        leader -> latencies,
                        PositionalBreakdowns.INSTANCE,
                        witness,
                        sameLog,
                        (from, to) -> 0);
        made.lead(0, 1);
        return made;
    }

    private void deliver(Probe probe, long atMillis) {
        deliver(probe, atMillis, 0);
    }

    private void deliver(Probe probe, long atMillis, long offset) {
        Delivery delivery = new Delivery(atMillis * MS, Delivery.NO_APPEND_TIME, offset);
        assertThat(ledger.delivered(0, probe.sequence(), delivery)).isTrue();
    }

    private void acknowledge(Probe probe, long offset) {
        long due = probe.dueNanos();
        ledger.settled(probe, new SendResult(List.of(due), due, 1, List.of(), due, 0, offset));
    }

    /** What is not zero of the first leader's counts. */
    private Map<String, Long> counts() {
        return counts(ledger.counts().get(0));
    }

    private static Map<String, Long> counts(LeaderCounts of) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (Outcome outcome : Outcome.values()) {
            counts.put(outcome.label(), of.outcomes().of(outcome));
        }
        counts.put("in flight", of.inFlight());
        counts.put("duplicates", of.duplicates());
        counts.put("out of order", of.outOfOrder());
        counts.put("resurfaced", of.resurfaced());
        counts.put("good", of.verdicts().good());
        counts.put("bad", of.verdicts().bad());
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    @Test
    void aBrokersCountsExistAtZeroBeforeItsFirstProbe() {
        ledger.open(7);
        assertThat(ledger.counts()).extracting(LeaderCounts::leader).containsExactly(1, 7);
        assertThat(ledger.counts()).allMatch(c -> c.scheduled() == 0 && Conservation.holds(c));
    }

    @Test
    void whateverHasNoOutcomeYetIsInFlight() {
        ledger.lead(1, 2);
        Probe first = ledger.scheduled(0, 0);
        ledger.scheduled(1, 0);
        assertThat(ledger.inFlight()).isEqualTo(2);
        ledger.sendFailed(first);
        assertThat(ledger.inFlight()).isEqualTo(1);
        assertThat(ledger.underWay(0)).isFalse();
        assertThat(ledger.underWay(1)).isTrue();
        ledger.sweep(60_001 * MS);
        assertThat(ledger.inFlight()).isZero();
        assertThat(ledger.underWay(1)).isFalse();
        assertThat(ledger.underWay(9)).as("of which nothing is known").isFalse();
    }

    @Test
    void deliveredWithinTheTargetIsGoodAndAfterItBad() {
        deliver(ledger.scheduled(0, 0), 50);
        assertThat(counts()).isEqualTo(Map.of("delivered", 1L, "good", 1L));
        Probe slow = ledger.scheduled(0, 1);
        ledger.delivered(0, slow.sequence(), new Delivery(50 * MS + 2, -1, 0));
        assertThat(counts()).isEqualTo(Map.of("delivered", 2L, "good", 1L, "bad", 1L));
        assertThat(latencies.endToEnd).containsExactly(50 * MS, 50 * MS + 1);
    }

    @Test
    void deliveredAfterTheDeadlineIsLateAndObservedAtItsTrueLatency() {
        Probe atTheDeadline = ledger.scheduled(0, 0);
        Probe late = ledger.scheduled(0, 0);
        ledger.sweep(5_000 * MS);
        assertThat(counts()).isEqualTo(Map.of("in flight", 2L));
        deliver(atTheDeadline, 5_000);
        ledger.sweep(5_001 * MS);
        assertThat(counts())
                .as("judged at the deadline")
                .isEqualTo(Map.of("delivered", 1L, "in flight", 1L, "bad", 2L));
        deliver(late, 7_000);
        assertThat(counts())
                .as("judged once")
                .isEqualTo(Map.of("delivered", 1L, "late", 1L, "bad", 2L));
        deliver(late, 8_000);
        assertThat(counts())
                .isEqualTo(Map.of("delivered", 1L, "late", 1L, "bad", 2L, "duplicates", 1L));
        assertThat(latencies.endToEnd).containsExactly(5_000 * MS, 7_000 * MS);
    }

    @Test
    void aLostProbeThatTurnsUpStaysLostIsCountedAsResurfacedAndObserved() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.sweep(60_000 * MS);
        assertThat(counts()).isEqualTo(Map.of("in flight", 1L, "bad", 1L));
        ledger.sweep(60_000 * MS + 1);
        assertThat(counts()).isEqualTo(Map.of("lost", 1L, "bad", 1L));
        assertThat(latencies.endToEnd).isEmpty();

        deliver(probe, 62_000);
        deliver(probe, 63_000);
        assertThat(counts())
                .isEqualTo(Map.of("lost", 1L, "bad", 1L, "resurfaced", 1L, "duplicates", 1L));
        assertThat(latencies.endToEnd).containsExactly(62_000 * MS);
    }

    @Test
    void theOutcomeDoesNotDependOnWhetherTheSweepOrTheDeliveryComesFirst() {
        deliver(ledger.scheduled(0, 0), 61_000);
        ledger.sweep(62_000 * MS);
        assertThat(counts()).isEqualTo(Map.of("lost", 1L, "bad", 1L, "resurfaced", 1L));
    }

    @Test
    void aFailedSendIsBadAndResurfacesWhenItTurnsUpEvenAfterTheHorizon() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.sendFailed(probe);
        ledger.sweep(70_000 * MS);
        assertThat(counts()).isEqualTo(Map.of("send_failed", 1L, "bad", 1L));
        deliver(probe, 71_000);
        assertThat(counts()).isEqualTo(Map.of("send_failed", 1L, "bad", 1L, "resurfaced", 1L));
        assertThat(latencies.endToEnd).containsExactly(71_000 * MS);
    }

    @Test
    void aProbeWhoseAcknowledgementGotLostStaysDelivered() {
        Probe probe = ledger.scheduled(0, 0);
        deliver(probe, 1);
        ledger.sendFailed(probe);
        assertThat(counts()).isEqualTo(Map.of("delivered", 1L, "good", 1L));
    }

    @Test
    void anAcknowledgementIsProducerLatencyFromWhenItWasDueAndEndsNothing() {
        ledger.acknowledged(ledger.scheduled(0, 0), 10);
        assertThat(latencies.producer).containsExactly(10L);
        assertThat(counts()).isEqualTo(Map.of("in flight", 1L));
    }

    @Test
    void aSecondDeliveryIsADuplicateEvenLongAfterwards() {
        Probe probe = ledger.scheduled(0, 0);
        acknowledge(probe, 5);
        deliver(probe, 1, 5);
        deliver(probe, 2, 4);
        ledger.sweep(10_000 * MS);
        deliver(probe, 11_000, 3);
        ledger.sweep(61_000 * MS);
        deliver(probe, 62_000, 3);
        assertThat(counts()).isEqualTo(Map.of("delivered", 1L, "good", 1L, "duplicates", 3L));
        assertThat(latencies.endToEnd).hasSize(1);
    }

    @Test
    void probesThatWereUnderWayTogetherMayOvertakeEachOther() {
        Probe first = ledger.scheduled(0, 0);
        Probe second = ledger.scheduled(0, 1);
        acknowledge(second, 7);
        acknowledge(first, 8);
        deliver(second, 1, 7);
        deliver(first, 1, 8);
        assertThat(counts()).isEqualTo(Map.of("delivered", 2L, "good", 2L));
    }

    @Test
    void aProbeBehindAnOffsetThatWasAcknowledgedBeforeItWasSentIsOutOfOrder() {
        Probe first = ledger.scheduled(0, 0);
        Probe second = ledger.scheduled(0, 1);
        acknowledge(first, 8);
        acknowledge(second, 5);
        deliver(ledger.scheduled(0, 2), 1, 7);
        assertThat(counts()).as("the highest one counts").containsEntry("out of order", 1L);
    }

    @Test
    void aLogThatWasCutBackIsTheMeasureForWhatComesThen() {
        acknowledge(ledger.scheduled(0, 0), 800);
        Probe cutBack = ledger.scheduled(0, 1);
        Probe sentMeanwhile = ledger.scheduled(0, 2);
        deliver(cutBack, 1, 7);
        acknowledge(cutBack, 7);
        deliver(ledger.scheduled(0, 3), 1, 9);
        deliver(sentMeanwhile, 1, 8);
        assertThat(counts()).containsEntry("out of order", 2L);
    }

    @Test
    void offsetsOfAnotherLogSayNothingOfTheOrder() {
        Ledger mirrored = ledger(false);
        mirrored.settled(
                mirrored.scheduled(0, 0), new SendResult(List.of(), 1, 1, List.of(), 0, 0, 800));
        Probe probe = mirrored.scheduled(0, 1);
        mirrored.delivered(0, probe.sequence(), new Delivery(2, 0, 7));
        mirrored.delivered(0, probe.sequence(), new Delivery(3, 0, 8));
        assertThat(counts(mirrored.counts().get(0)))
                .isEqualTo(Map.of("delivered", 1L, "good", 1L, "in flight", 1L, "duplicates", 1L));
    }

    @Test
    void theWitnessSeesEachProbeOnceWithWhatIsKnownAndWithoutTheLock() {
        Probe seen = ledger.scheduled(0, 0);
        Probe failed = ledger.scheduled(0, 1);
        Probe lost = ledger.scheduled(0, 2);
        Probe lostAndBack = ledger.scheduled(0, 3);
        acknowledge(seen, 5);
        deliver(seen, 1, 5);
        deliver(seen, 1, 5);
        ledger.sendFailed(failed);
        ledger.sendFailed(failed);
        acknowledge(lost, 6);
        deliver(lostAndBack, 61_000, 7);
        ledger.sweep(61_000 * MS);
        assertThat(witness.told)
                .containsExactly(
                        "seen 0 at 5 DELIVERED",
                        "unseen 1 SEND_FAILED",
                        "unseen 3 LOST",
                        "unseen 2 LOST at 6");
        assertThat(witness.locked).isFalse();
    }

    @Test
    void aBrokerThatLeftIsForgottenAfterAWhileAndTheVerdictsStay() {
        ledger.sendFailed(ledger.scheduled(0, 0));
        Probe last = ledger.scheduled(0, 1);
        long hour = LeaderAccounts.MEMORY.toNanos();

        assertThat(ledger.retainBrokers(Set.of(2), 0)).isEmpty();
        assertThat(ledger.retainBrokers(Set.of(2), 2 * hour)).as("one is under way").isEmpty();
        ledger.sendFailed(last);
        ledger.retainBrokers(Set.of(2), 3 * hour);
        assertThat(ledger.retainBrokers(Set.of(1, 2), 3 * hour + 1)).as("it came back").isEmpty();
        assertThat(ledger.retainBrokers(Set.of(2), 4 * hour)).isEmpty();
        assertThat(ledger.retainBrokers(Set.of(2), 5 * hour)).as("not for so long").isEmpty();
        assertThat(ledger.retainBrokers(Set.of(2), 5 * hour + 1)).containsExactly(1);

        assertThat(ledger.counts()).isEmpty();
        assertThat(ledger.verdicts().bad()).isEqualTo(2);
        ledger.lead(0, 1);
        ledger.scheduled(0, 2);
        assertThat(counts()).as("it begins anew").isEqualTo(Map.of("in flight", 1L));
    }

    @Test
    void aProbeBelongsToWhoLedWhenItWasScheduled() {
        RecordedLatencies next = new RecordedLatencies();
        Map<Integer, RecordedLatencies> recorders = Map.of(1, latencies, 2, next);
        Ledger moved =
                new Ledger(
                        Ledgers.TARGET,
                        Ledgers.DEADLINE,
                        Ledgers.HORIZON,
                        recorders::get,
                        PositionalBreakdowns.INSTANCE,
                        ProbeWitness.NONE);
        moved.lead(0, 1);
        Probe probe = moved.scheduled(0, 0);
        moved.lead(0, 2);
        moved.scheduled(0, 1);
        moved.delivered(0, probe.sequence(), new Delivery(MS, Delivery.NO_APPEND_TIME, 0));
        assertThat(probe.leader()).isEqualTo(1);
        assertThat(moved.counts())
                .extracting(LedgerTest::counts)
                .containsExactly(Map.of("delivered", 1L, "good", 1L), Map.of("in flight", 1L));
        assertThat(latencies.endToEnd).as("whose latency it is").hasSize(1);
        assertThat(next.endToEnd).isEmpty();
    }

    @Test
    void aProbeThatWasNeverScheduledIsNone() {
        ledger.scheduled(0, 0);
        Delivery delivery = new Delivery(MS, Delivery.NO_APPEND_TIME, 0);
        assertThat(ledger.delivered(0, 1, delivery)).isFalse();
        assertThat(ledger.delivered(0, -1, delivery)).isFalse();
        assertThat(ledger.delivered(9, 0, delivery)).isFalse();
        assertThat(counts()).isEqualTo(Map.of("in flight", 1L));
    }

    @Test
    void aPartitionWithoutALeaderTakesNoProbes() {
        assertThatIllegalStateException().isThrownBy(() -> ledger.scheduled(5, 0));
    }
}
