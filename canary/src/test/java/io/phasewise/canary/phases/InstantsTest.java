/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static io.phasewise.canary.phases.ProbeObservation.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.phase.Phase;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class InstantsTest {
    private static final long MILLI = 1_000_000;

    /** A probe that was due at 0 and dispatched after a millisecond; delays are one each. */
    private static ProbeObservation seen(Long appended, Long acknowledged, long t5, Acks acks, long delay) {
        return new ProbeObservation(
                0, MILLI, nanos(appended), nanos(acknowledged), t5 * MILLI, acks, delay * MILLI, MILLI);
    }

    private static long nanos(Long millis) {
        return millis == null ? UNKNOWN : millis * MILLI;
    }

    private static PhaseBreakdown phases(ProbeObservation seen) {
        return Instants.normalised(seen, (from, to) -> 0).breakdown();
    }

    /** Milliseconds; the delay from the leader, and of 1 ms from whom it was fetched. */
    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = "bounds.csv", delimiter = '|')
    void phasesFollowTheTableOfBounds(
            String what,
            Long appended,
            Long acknowledged,
            long t5,
            Acks acks,
            long delay,
            long publish,
            long commit,
            long fetch) {
        assertThat(phases(seen(appended, acknowledged, t5, acks, delay)))
                .isEqualTo(new PhaseBreakdown(MILLI, publish * MILLI, commit * MILLI, 0, fetch * MILLI));
    }

    @Test
    void whatTheLeaderMarkedIsTakenForTheInstantsButOrderedAllTheSame() {
        ProbeObservation seen = seen(3L, 10L, 20, Acks.ALL, 2);
        assertThat(marked(seen, 4, 7)).isEqualTo(new PhaseBreakdown(MILLI, 3 * MILLI, 3 * MILLI, 0, 13 * MILLI));
        assertThat(marked(seen, 12, 30))
                .as("not appended after the answer, nor committed after the delivery")
                .isEqualTo(new PhaseBreakdown(MILLI, 9 * MILLI, 10 * MILLI, 0, 0));
    }

    private static PhaseBreakdown marked(ProbeObservation seen, long appended, long committed) {
        LeaderInstants there =
                new LeaderInstants(UNKNOWN, UNKNOWN, 0, appended * MILLI, new TreeMap<>(), committed * MILLI, UNKNOWN);
        return Instants.marked(seen, there, (from, to) -> 0).breakdown();
    }

    @Test
    void consumersAbsenceIsCutToTheTimeSinceTheCommit() {
        ProbeObservation seen = seen(3L, 10L, 20, Acks.ALL, 2);
        assertThat(Instants.normalised(seen, (from, to) -> 5 * MILLI)
                        .breakdown()
                        .catchUp())
                .isEqualTo(5 * MILLI);
        assertThat(Instants.normalised(seen, (from, to) -> 500 * MILLI)
                        .breakdown()
                        .catchUp())
                .isEqualTo(12 * MILLI);
    }

    @Test
    void appendBelongsToTheLastDispatchThatIsNotAfterIt() {
        List<Long> attempts = List.of(10L, 50L, 90L);
        assertThat(Instants.dispatchOf(attempts, 95)).isEqualTo(90);
        assertThat(Instants.dispatchOf(attempts, 60)).isEqualTo(50);
        assertThat(Instants.dispatchOf(attempts, 5)).isEqualTo(10);
    }

    @Test
    void deliveryBeforeTheProbeWasDueIsRefused() {
        ProbeObservation seen = new ProbeObservation(10, 10, 10, 10, 9, Acks.ALL, 0, 0);
        assertThatThrownBy(() -> phases(seen)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acksAreReadAsTheProducerReadsThem() {
        assertThat(List.of("all", "-1", "1", "0"))
                .extracting(Acks::parse)
                .containsExactly(Acks.ALL, Acks.ALL, Acks.LEADER, Acks.NONE);
        assertThatThrownBy(() -> Acks.parse("2")).hasMessageContaining("2");
    }

    /** At any clock reading, near the point where it wraps too. */
    @Property
    void anyObservationGivesPhasesThatSumToEndToEndExactly(
            @ForAll long scheduled,
            @ForAll @LongRange(min = 0, max = 1L << 60) long endToEnd,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long dispatched,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long appended,
            @ForAll @LongRange(min = -(1L << 60), max = 1L << 60) long acknowledged,
            @ForAll @LongRange(min = 0, max = 1L << 50) long oneWay,
            @ForAll long catchUp,
            @ForAll Acks acks) {
        ProbeObservation seen = new ProbeObservation(
                scheduled,
                scheduled + dispatched,
                scheduled + appended,
                scheduled + acknowledged,
                scheduled + endToEnd,
                acks,
                oneWay,
                oneWay / 2);
        Instants instants = Instants.normalised(seen, (from, to) -> catchUp);
        PhaseBreakdown phases = instants.breakdown();
        for (Phase phase : Phase.values()) {
            assertThat(phases.of(phase)).isNotNegative();
        }
        assertThat(phases.total()).isEqualTo(endToEnd);
        assertThat(Timeline.ofProbe(instants).breakdown()).isEqualTo(phases);
        Timeline behind =
                Timeline.ofProbe(instants).behind(Timeline.failedRequest(scheduled, scheduled, instants.t2()));
        assertThat(behind.breakdown().total()).isEqualTo(endToEnd);
    }
}
