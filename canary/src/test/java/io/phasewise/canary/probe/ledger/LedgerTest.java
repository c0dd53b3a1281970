/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final long MS = 1_000_000;

    private final List<Long> endToEnd = new ArrayList<>();
    private final List<Integer> charged = new ArrayList<>();
    private final List<Long> producer = new ArrayList<>();
    private final List<String> witnessed = new ArrayList<>();
    private final Ledger ledger =
            new Ledger(
                    Duration.ofMillis(50),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    leader ->
                            new LatencyRecorder() {
                                @Override
                                public void endToEnd(Probe probe, long nanos) {
                                    endToEnd.add(nanos);
                                    charged.add(leader);
                                }

                                @Override
                                public void producer(long nanos) {
                                    producer.add(nanos);
                                }

                                @Override
                                public void phases(Probe probe, Breakdown phases) {}
                            },
                    PositionalBreakdowns.INSTANCE,
                    new ProbeWitness() {
                        @Override
                        public void seen(
                                Probe probe,
                                SendResult sending,
                                Delivery delivery,
                                Breakdown breakdown) {
                            witnessed.add(
                                    "seen "
                                            + probe.sequence()
                                            + " at "
                                            + delivery.offset()
                                            + " "
                                            + probe.outcome());
                        }

                        @Override
                        public void unseen(Probe probe, Outcome outcome, SendResult sending) {
                            witnessed.add(
                                    "unseen "
                                            + probe.sequence()
                                            + " "
                                            + outcome
                                            + (sending == null ? "" : " at " + sending.offset()));
                        }
                    });

    LedgerTest() {
        ledger.lead(0, 1);
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
    void deliveredWithinTheTargetIsGood() {
        Probe probe = ledger.scheduled(0, 1000);

        assertThat(
                        ledger.delivered(
                                0,
                                probe.sequence(),
                                new Delivery(1000 + 50 * MS, Delivery.NO_APPEND_TIME, 0)))
                .isTrue();

        assertThat(counts().outcomes().delivered()).isEqualTo(1);
        assertThat(counts().verdicts().good()).isEqualTo(1);
        assertThat(counts().verdicts().bad()).isZero();
        assertThat(endToEnd).containsExactly(50 * MS);
    }

    @Test
    void deliveredAfterTheTargetIsBadButDelivered() {
        ledger.delivered(
                0,
                ledger.scheduled(0, 0).sequence(),
                new Delivery(50 * MS + 1, Delivery.NO_APPEND_TIME, 0));

        assertThat(counts().outcomes().delivered()).isEqualTo(1);
        assertThat(counts().verdicts().bad()).isEqualTo(1);
    }

    @Test
    void deliveredAfterTheDeadlineIsLateAndObservedAtItsTrueLatency() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.sweep(5_001 * MS);
        assertThat(counts().verdicts().bad()).as("judged at the deadline").isEqualTo(1);
        assertThat(counts().inFlight()).isEqualTo(1);

        ledger.delivered(0, probe.sequence(), new Delivery(7_000 * MS, Delivery.NO_APPEND_TIME, 0));

        assertThat(counts().outcomes().late()).isEqualTo(1);
        assertThat(counts().verdicts().bad()).as("judged once").isEqualTo(1);
        assertThat(endToEnd).containsExactly(7_000 * MS);
    }

    @Test
    void atExactlyTheDeadlineItIsNotLate() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.sweep(5_000 * MS);

        ledger.delivered(0, probe.sequence(), new Delivery(5_000 * MS, Delivery.NO_APPEND_TIME, 0));

        assertThat(counts().outcomes().delivered()).isEqualTo(1);
    }

    @Test
    void notSeenWithinTheHorizonIsLostAndBad() {
        ledger.scheduled(0, 0);

        ledger.sweep(60_000 * MS);
        assertThat(counts().inFlight()).isEqualTo(1);
        ledger.sweep(60_000 * MS + 1);

        assertThat(counts().lost()).isEqualTo(1);
        assertThat(counts().verdicts().bad()).isEqualTo(1);
        assertThat(counts().inFlight()).isZero();
        assertThat(endToEnd).isEmpty();
    }

    @Test
    void aLostProbeThatTurnsUpStaysLostIsCountedAsResurfacedAndObserved() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.sweep(61_000 * MS);

        ledger.delivered(
                0, probe.sequence(), new Delivery(62_000 * MS, Delivery.NO_APPEND_TIME, 0));
        ledger.delivered(
                0, probe.sequence(), new Delivery(63_000 * MS, Delivery.NO_APPEND_TIME, 0));

        assertThat(counts().lost()).isEqualTo(1);
        assertThat(counts().resurfaced()).isEqualTo(1);
        assertThat(counts().duplicates()).isEqualTo(1);
        assertThat(endToEnd).containsExactly(62_000 * MS);
    }

    @Test
    void theOutcomeDoesNotDependOnWhetherTheSweepOrTheDeliveryComesFirst() {
        Probe probe = ledger.scheduled(0, 0);

        ledger.delivered(
                0, probe.sequence(), new Delivery(61_000 * MS, Delivery.NO_APPEND_TIME, 0));
        ledger.sweep(62_000 * MS);

        assertThat(counts().lost()).isEqualTo(1);
        assertThat(counts().resurfaced()).isEqualTo(1);
        assertThat(counts().verdicts().bad()).isEqualTo(1);
    }

    @Test
    void aFailedSendEndsTheProbeAndIsBad() {
        Probe probe = ledger.scheduled(0, 0);

        ledger.sendFailed(probe);
        ledger.sweep(70_000 * MS);

        assertThat(counts().outcomes().sendFailed()).isEqualTo(1);
        assertThat(counts().lost()).isZero();
        assertThat(counts().verdicts().bad()).isEqualTo(1);
    }

    @Test
    void aFailedSendThatTurnsUpIsResurfacedAndObservedEvenAfterTheHorizon() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.sendFailed(probe);
        ledger.sweep(70_000 * MS);

        ledger.delivered(
                0, probe.sequence(), new Delivery(71_000 * MS, Delivery.NO_APPEND_TIME, 0));

        assertThat(counts().outcomes().sendFailed()).isEqualTo(1);
        assertThat(counts().resurfaced()).isEqualTo(1);
        assertThat(counts().duplicates()).isZero();
        assertThat(endToEnd).containsExactly(71_000 * MS);
    }

    @Test
    void aProbeWhoseAcknowledgementGotLostStaysDelivered() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.delivered(0, probe.sequence(), new Delivery(MS, Delivery.NO_APPEND_TIME, 0));

        ledger.sendFailed(probe);

        assertThat(counts().outcomes().delivered()).isEqualTo(1);
        assertThat(counts().outcomes().sendFailed()).isZero();
        assertThat(counts().verdicts().good()).isEqualTo(1);
    }

    @Test
    void anAcknowledgementIsProducerLatencyFromWhenItWasDueAndEndsNothing() {
        Probe probe = ledger.scheduled(0, 0);

        ledger.acknowledged(probe, 10);

        assertThat(producer).containsExactly(10L);
        assertThat(counts().inFlight()).isEqualTo(1);
    }

    @Test
    void aSecondDeliveryIsADuplicateEvenLongAfterwards() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.delivered(0, probe.sequence(), new Delivery(MS, Delivery.NO_APPEND_TIME, 0));
        ledger.delivered(0, probe.sequence(), new Delivery(2 * MS, Delivery.NO_APPEND_TIME, 0));
        ledger.sweep(61_000 * MS);

        ledger.delivered(
                0, probe.sequence(), new Delivery(62_000 * MS, Delivery.NO_APPEND_TIME, 0));

        assertThat(counts().duplicates()).isEqualTo(2);
        assertThat(counts().outcomes().delivered()).isEqualTo(1);
        assertThat(endToEnd).hasSize(1);
    }

    @Test
    void theSecondDeliveryOfALateProbeIsADuplicate() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.delivered(0, probe.sequence(), new Delivery(7_000 * MS, Delivery.NO_APPEND_TIME, 0));
        ledger.delivered(0, probe.sequence(), new Delivery(8_000 * MS, Delivery.NO_APPEND_TIME, 0));

        assertThat(counts().outcomes().late()).isEqualTo(1);
        assertThat(counts().duplicates()).isEqualTo(1);
        assertThat(counts().resurfaced()).isZero();
        assertThat(endToEnd).containsExactly(7_000 * MS);
    }

    @Test
    void probesThatWereUnderWayTogetherMayOvertakeEachOther() {
        Probe first = ledger.scheduled(0, 0);
        Probe second = ledger.scheduled(0, 1);
        acknowledge(second, 7);
        acknowledge(first, 8);

        deliver(second, 7);
        deliver(first, 8);

        assertThat(counts().outOfOrder()).isZero();
        assertThat(counts().outcomes().delivered()).isEqualTo(2);
    }

    @Test
    void aProbeBehindOneThatWasAcknowledgedBeforeItWasSentIsOutOfOrder() {
        Probe first = ledger.scheduled(0, 0);
        acknowledge(first, 8);
        Probe second = ledger.scheduled(0, 1);

        deliver(second, 7);

        assertThat(counts().outOfOrder()).isEqualTo(1);
        assertThat(counts().outcomes().delivered()).isEqualTo(1);
    }

    @Test
    void theHighestOffsetThatWasAcknowledgedIsTheMeasureAndNotTheLast() {
        Probe first = ledger.scheduled(0, 0);
        Probe second = ledger.scheduled(0, 1);
        acknowledge(first, 8);
        acknowledge(second, 5);
        Probe third = ledger.scheduled(0, 2);

        deliver(third, 7);

        assertThat(counts().outOfOrder()).isEqualTo(1);
    }

    @Test
    void aLogThatWasCutBackIsTheMeasureForWhatComesThen() {
        acknowledge(ledger.scheduled(0, 0), 800);
        Probe cutBack = ledger.scheduled(0, 1);
        Probe sentMeanwhile = ledger.scheduled(0, 2);
        deliver(cutBack, 7);
        acknowledge(cutBack, 7);

        Probe later = ledger.scheduled(0, 3);
        deliver(later, 9);
        deliver(sentMeanwhile, 8);

        assertThat(counts().outOfOrder()).isEqualTo(2);
    }

    @Test
    void offsetsOfAnotherLogSayNothingOfTheOrder() {
        Ledger mirrored =
                new Ledger(
                        Duration.ofMillis(50),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        leader -> SilentRecorder.INSTANCE,
                        PositionalBreakdowns.INSTANCE,
                        ProbeWitness.NONE,
                        false,
                        (from, to) -> 0);
        mirrored.lead(0, 1);
        mirrored.settled(
                mirrored.scheduled(0, 0), new SendResult(List.of(), 1, 1, List.of(), 0, 0, 800));
        Probe probe = mirrored.scheduled(0, 1);

        mirrored.delivered(0, probe.sequence(), new Delivery(2, 0, 7));
        mirrored.delivered(0, probe.sequence(), new Delivery(3, 0, 8));

        assertThat(mirrored.counts().get(0).outOfOrder()).isZero();
        assertThat(mirrored.counts().get(0).duplicates()).isEqualTo(1);
    }

    @Test
    void aDuplicateIsNotOutOfOrder() {
        acknowledge(ledger.scheduled(0, 0), 5);
        Probe probe = ledger.scheduled(0, 1);
        deliver(probe, 6);

        deliver(probe, 4);

        assertThat(counts().outOfOrder()).isZero();
        assertThat(counts().duplicates()).isEqualTo(1);
    }

    @Test
    void theWitnessSeesEachProbeOnceWithWhatIsKnown() {
        Probe seen = ledger.scheduled(0, 0);
        Probe failed = ledger.scheduled(0, 1);
        Probe lost = ledger.scheduled(0, 2);
        acknowledge(seen, 5);
        deliver(seen, 5);
        deliver(seen, 5);
        ledger.sendFailed(failed);
        ledger.sendFailed(failed);
        acknowledge(lost, 6);
        ledger.sweep(61_000 * MS);

        assertThat(witnessed)
                .containsExactly(
                        "seen 0 at 5 DELIVERED", "unseen 1 SEND_FAILED", "unseen 2 LOST at 6");
    }

    private void acknowledge(Probe probe, long offset) {
        ledger.settled(
                probe,
                new SendResult(
                        List.of(probe.dueNanos()),
                        probe.dueNanos(),
                        1,
                        List.of(),
                        probe.dueNanos(),
                        0,
                        offset));
    }

    private void deliver(Probe probe, long offset) {
        ledger.delivered(0, probe.sequence(), new Delivery(MS, Delivery.NO_APPEND_TIME, offset));
    }

    @Test
    void aBrokerThatLeftIsForgottenAfterAWhileAndTheVerdictsStay() {
        ledger.lead(0, 1);
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

        assertThat(ledger.counts()).extracting(LeaderCounts::leader).doesNotContain(1);
        assertThat(ledger.verdicts().bad()).isEqualTo(2);
        ledger.lead(0, 1);
        ledger.scheduled(0, 2);
        assertThat(counts().scheduled()).as("it begins again").isEqualTo(1);
    }

    @Test
    void whatWasDeliveredLongAgoIsStillToldFromADuplicate() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.settled(probe, new SendResult(List.of(), MS, 1, List.of(), 0, 0, 0));
        ledger.delivered(0, 0, new Delivery(MS, Delivery.NO_APPEND_TIME, 0));
        ledger.sweep(Duration.ofSeconds(10).toNanos());

        ledger.delivered(
                0, 0, new Delivery(Duration.ofSeconds(11).toNanos(), Delivery.NO_APPEND_TIME, 0));

        assertThat(counts().duplicates()).isEqualTo(1);
        assertThat(counts().outcomes().delivered()).isEqualTo(1);
        assertThat(counts().resurfaced()).isZero();
    }

    @Test
    void probesThatNobodySawAreToldOfWithoutTheLock() {
        List<Boolean> locked = new ArrayList<>();
        AtomicReference<Ledger> self = new AtomicReference<>();
        Ledger told =
                new Ledger(
                        Duration.ofMillis(50),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(60),
                        leader -> SilentRecorder.INSTANCE,
                        PositionalBreakdowns.INSTANCE,
                        new ProbeWitness() {
                            @Override
                            public void seen(
                                    Probe probe,
                                    SendResult sending,
                                    Delivery delivery,
                                    Breakdown breakdown) {}

                            @Override
                            public void unseen(Probe probe, Outcome outcome, SendResult sending) {
                                locked.add(Thread.holdsLock(self.get()));
                            }
                        });
        self.set(told);
        told.lead(0, 1);
        told.sendFailed(told.scheduled(0, 0));
        told.scheduled(0, 1);
        told.scheduled(0, 2);
        long late = Duration.ofSeconds(61).toNanos();
        told.delivered(0, 1, new Delivery(late, Delivery.NO_APPEND_TIME, 0));
        told.sweep(late);

        assertThat(locked).as("not sent, back after the loss horizon, lost").hasSize(3);
        assertThat(locked).containsOnly(false);
    }

    @Test
    void aProbeBelongsToWhoLedWhenItWasScheduled() {
        Probe probe = ledger.scheduled(0, 0);
        ledger.lead(0, 2);
        ledger.scheduled(0, 1);

        ledger.delivered(0, probe.sequence(), new Delivery(MS, Delivery.NO_APPEND_TIME, 0));

        assertThat(probe.leader()).isEqualTo(1);
        assertThat(ledger.counts()).extracting(LeaderCounts::scheduled).containsExactly(1L, 1L);
        assertThat(ledger.counts())
                .extracting(counts -> counts.outcomes().delivered())
                .containsExactly(1L, 0L);
        assertThat(ledger.counts()).extracting(LeaderCounts::inFlight).containsExactly(0L, 1L);
        assertThat(charged).as("whose latency it is").containsExactly(1);
    }

    @Test
    void aProbeThatWasNeverScheduledIsNone() {
        ledger.scheduled(0, 0);

        assertThat(ledger.delivered(0, 1, new Delivery(MS, Delivery.NO_APPEND_TIME, 0))).isFalse();
        assertThat(ledger.delivered(0, -1, new Delivery(MS, Delivery.NO_APPEND_TIME, 0))).isFalse();
        assertThat(ledger.delivered(9, 0, new Delivery(MS, Delivery.NO_APPEND_TIME, 0))).isFalse();
        assertThat(counts().outcomes().delivered()).isZero();
    }

    @Test
    void aPartitionWithoutALeaderTakesNoProbes() {
        assertThatIllegalStateException().isThrownBy(() -> ledger.scheduled(5, 0));
    }

    private LeaderCounts counts() {
        return ledger.counts().get(0);
    }
}
