/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static io.phasewise.canary.phases.ProbeObservation.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.phase.Phase;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Six instants in order, five phases that sum. */
class InstantsTest {

    private static final long MILLI = 1_000_000;

    private static ProbeObservation seen(
            long t1, long t2, long ack, long t5, Acks acks, long oneWay) {
        return new ProbeObservation(
                0, t1 * MILLI, t2 * MILLI, ack * MILLI, t5 * MILLI, acks, oneWay * MILLI);
    }

    private static PhaseBreakdown phases(ProbeObservation seen) {
        return Instants.normalised(seen, (from, to) -> 0).breakdown();
    }

    @Test
    void phasesAreTheDifferencesOfTheInstants() {
        assertThat(phases(seen(1, 3, 10, 20, Acks.ALL, 2)))
                .isEqualTo(new PhaseBreakdown(1 * MILLI, 2 * MILLI, 5 * MILLI, 0, 12 * MILLI));
    }

    @Test
    void deliveryBeforeTheAcknowledgementIsTheFirstEvidenceOfTheCommit() {
        assertThat(phases(seen(1, 3, 30, 20, Acks.ALL, 2)).commit()).isEqualTo(15 * MILLI);
    }

    @Test
    void acknowledgementOfTheLeaderAloneIsNoEvidenceOfTheCommit() {
        assertThat(phases(seen(1, 3, 5, 20, Acks.LEADER, 2)).commit()).isEqualTo(15 * MILLI);
        assertThat(phases(seen(1, 3, 2, 20, Acks.NONE, 2)).commit()).isEqualTo(15 * MILLI);
    }

    @Test
    void eachEvidenceOfTheCommitIsLessTheDelayOfTheBrokerThatGaveIt() {
        // The leader is 40 ms away; a follower that is 1 ms away had it 6 ms after the commit.
        ProbeObservation near = fetchedNearby(57, 24);
        assertThat(phases(near).commit()).as("the acknowledgement says more").isEqualTo(14 * MILLI);
        assertThat(phases(near).fetch()).isEqualTo(7 * MILLI);
        // The acknowledgement was held up: what the follower shows is earlier.
        assertThat(phases(fetchedNearby(95, 24)).commit()).isEqualTo(20 * MILLI);
        // Less the leader's delay, the delivery would prove a commit before the append.
        assertThat(phases(fetchedNearby(95, 24)).fetch()).isEqualTo(MILLI);
    }

    private static ProbeObservation fetchedNearby(long ack, long t5) {
        return new ProbeObservation(
                0, MILLI, 3 * MILLI, ack * MILLI, t5 * MILLI, Acks.ALL, 40 * MILLI, MILLI, UNKNOWN);
    }

    @Test
    void completionWithoutAnAnswerDoesNotBoundTheAppend() {
        assertThat(phases(seen(1, 3, 2, 20, Acks.NONE, 0)).publish()).isEqualTo(2 * MILLI);
        assertThat(phases(seen(1, 3, 2, 20, Acks.LEADER, 0)).publish()).isEqualTo(1 * MILLI);
    }

    @Test
    void pureNetworkDelayNeverShowsInCommit() {
        // Appended 40 ms after the dispatch, acknowledged at once, 40 ms back.
        assertThat(phases(seen(0, 40, 80, 81, Acks.ALL, 40)).commit()).isZero();
    }

    @Test
    void withoutAppendTimeCommitHoldsPublishToo() {
        ProbeObservation seen =
                new ProbeObservation(0, MILLI, UNKNOWN, 10 * MILLI, 12 * MILLI, Acks.ALL, 0);
        PhaseBreakdown phases = phases(seen);
        assertThat(phases.publish()).isZero();
        assertThat(phases.commit()).isEqualTo(9 * MILLI);
    }

    @Test
    void consumersAbsenceIsCutToTheTimeSinceTheCommit() {
        ProbeObservation seen = seen(1, 3, 10, 20, Acks.ALL, 2);
        assertThat(Instants.normalised(seen, (from, to) -> 5 * MILLI).breakdown().catchUp())
                .isEqualTo(5 * MILLI);
        assertThat(Instants.normalised(seen, (from, to) -> 500 * MILLI).breakdown().catchUp())
                .isEqualTo(12 * MILLI);
    }

    @Test
    void appendBelongsToTheLastDispatchThatIsNotAfterIt() {
        long[] attempts = {10, 50, 90};
        assertThat(Instants.dispatchOf(attempts, 95)).isEqualTo(90);
        assertThat(Instants.dispatchOf(attempts, 60)).isEqualTo(50);
        assertThat(Instants.dispatchOf(attempts, 5)).isEqualTo(10);
    }

    @Test
    void deliveryBeforeTheProbeWasDueIsRefused() {
        assertThatThrownBy(() -> new ProbeObservation(10, 10, 10, 10, 9, Acks.ALL, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acksAreReadAsTheProducerReadsThem() {
        assertThat(Acks.parse("all")).isEqualTo(Acks.ALL);
        assertThat(Acks.parse("-1")).isEqualTo(Acks.ALL);
        assertThat(Acks.parse("1")).isEqualTo(Acks.LEADER);
        assertThat(Acks.parse("0")).isEqualTo(Acks.NONE);
        assertThatThrownBy(() -> Acks.parse("2")).hasMessageContaining("2");
    }

    @Test
    void whatIsMirroredHasTheMirrorBesideThePhasesAndTheOtherClusterHasNoSayInTheCommit() {
        assertThat(phases(mirrored(10, 14, 20)))
                .isEqualTo(
                        new PhaseBreakdown(MILLI, 2 * MILLI, 5 * MILLI, 6 * MILLI, 0, 6 * MILLI));
        assertThat(phases(mirrored(10, 4, 20)))
                .as("a clock that would have it there before it was committed")
                .isEqualTo(new PhaseBreakdown(MILLI, 2 * MILLI, 5 * MILLI, 0, 0, 12 * MILLI));
        assertThat(phases(mirrored(10, 40, 20)))
                .as("or after it was delivered")
                .isEqualTo(new PhaseBreakdown(MILLI, 2 * MILLI, 5 * MILLI, 12 * MILLI, 0, 0));
    }

    @Test
    void withoutAnAcknowledgementTheArrivalInTheTargetIsTheEvidenceOfTheCommit() {
        ProbeObservation seen =
                new ProbeObservation(
                        0,
                        MILLI,
                        3 * MILLI,
                        UNKNOWN,
                        20 * MILLI,
                        Acks.ALL,
                        2 * MILLI,
                        MILLI,
                        14 * MILLI);
        assertThat(phases(seen))
                .isEqualTo(new PhaseBreakdown(MILLI, 2 * MILLI, 11 * MILLI, 0, 0, 6 * MILLI));
    }

    @Test
    void theConsumersAbsenceOfAMirroredProbeCountsFromItsArrival() {
        Instants instants =
                Instants.normalised(mirrored(10, 14, 20), (from, to) -> to - from - MILLI);
        assertThat(instants.breakdown())
                .isEqualTo(
                        new PhaseBreakdown(
                                MILLI, 2 * MILLI, 5 * MILLI, 6 * MILLI, 5 * MILLI, MILLI));
    }

    private static ProbeObservation mirrored(long ack, long arrived, long t5) {
        return new ProbeObservation(
                0,
                MILLI,
                3 * MILLI,
                ack * MILLI,
                t5 * MILLI,
                Acks.ALL,
                2 * MILLI,
                MILLI,
                arrived * MILLI);
    }

    @Property
    void anySightingOfAMirroredProbeGivesFivePhasesAndAMirrorThatSumToEndToEndExactly(
            @ForAll long scheduled,
            @ForAll @LongRange(min = 0, max = 1L << 60) long endToEnd,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long dispatched,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long appended,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long acknowledged,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long arrived,
            @ForAll @LongRange(min = 0, max = 1L << 50) long oneWay,
            @ForAll long catchUp,
            @ForAll Acks acks) {
        ProbeObservation seen =
                new ProbeObservation(
                        scheduled,
                        scheduled + dispatched,
                        scheduled + appended,
                        scheduled + acknowledged,
                        scheduled + endToEnd,
                        acks,
                        oneWay,
                        oneWay / 2,
                        scheduled + arrived);
        Instants instants = Instants.normalised(seen, (from, to) -> catchUp);
        PhaseBreakdown phases = instants.breakdown();
        for (Phase phase : Phase.values()) {
            assertThat(phases.of(phase)).isNotNegative();
        }
        assertThat(phases.mirror()).isNotNegative();
        assertThat(phases.total()).isEqualTo(endToEnd);
        assertThat(Timeline.ofProbe(instants).breakdown()).isEqualTo(phases);
        Timeline behind =
                Timeline.ofProbe(instants)
                        .behind(Timeline.failedRequest(scheduled, scheduled, instants.t2()));
        assertThat(behind.breakdown().total()).isEqualTo(endToEnd);
        assertThat(behind.breakdown().mirror())
                .as("no wait for a request reaches into it")
                .isEqualTo(phases.mirror());
    }

    @Property
    void anySightingGivesFivePhasesThatSumToEndToEndExactly(
            @ForAll long scheduled,
            @ForAll @LongRange(min = 0, max = 1L << 60) long endToEnd,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long dispatched,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long appended,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long acknowledged,
            @ForAll @LongRange(min = 0, max = 1L << 50) long oneWay,
            @ForAll long catchUp,
            @ForAll Acks acks) {
        // Any clock reading, near the point where it wraps too.
        ProbeObservation seen =
                new ProbeObservation(
                        scheduled,
                        scheduled + dispatched,
                        scheduled + appended,
                        scheduled + acknowledged,
                        scheduled + endToEnd,
                        acks,
                        oneWay);
        PhaseBreakdown phases = Instants.normalised(seen, (from, to) -> catchUp).breakdown();
        for (Phase phase : Phase.values()) {
            assertThat(phases.of(phase)).isNotNegative();
        }
        assertThat(phases.total()).isEqualTo(endToEnd);
        assertThat(Timeline.ofProbe(Instants.normalised(seen, (from, to) -> catchUp)).breakdown())
                .isEqualTo(phases);
    }
}
