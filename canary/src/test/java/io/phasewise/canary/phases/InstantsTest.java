/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import static io.phasewise.canary.phases.Instants.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
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
    private static ProbeEstimate seen(Long appended, Long acknowledged, long t5, Acks acks, long delay) {
        return seen(appended, acknowledged, t5, acks, delay, 0);
    }

    private static ProbeEstimate seen(Long appended, Long acknowledged, long t5, Acks acks, long delay, long catchUp) {
        return new ProbeEstimate(
                0,
                MILLI,
                nanos(appended),
                0,
                nanos(acknowledged),
                t5 * MILLI,
                acks,
                delay * MILLI,
                MILLI,
                (from, to) -> catchUp * MILLI,
                List.of());
    }

    private static long nanos(Long millis) {
        return millis == null ? UNKNOWN : millis * MILLI;
    }

    private static PhaseBreakdown phases(ProbeEstimate seen) {
        return seen.estimated().phases();
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
        ProbeEstimate seen = seen(3L, 10L, 20, Acks.ALL, 2);
        assertThat(marked(seen, 4, 7)).isEqualTo(new PhaseBreakdown(MILLI, 3 * MILLI, 3 * MILLI, 0, 13 * MILLI));
        assertThat(marked(seen, 12, 30))
                .as("not appended after the answer, nor committed after the delivery")
                .isEqualTo(new PhaseBreakdown(MILLI, 9 * MILLI, 10 * MILLI, 0, 0));
    }

    private static PhaseBreakdown marked(ProbeEstimate seen, long appended, long committed) {
        LeaderInstants there =
                new LeaderInstants(UNKNOWN, UNKNOWN, 0, appended * MILLI, new TreeMap<>(), committed * MILLI, UNKNOWN);
        return seen.marked(there, 0).phases();
    }

    @Test
    void consumersAbsenceIsCutToTheTimeSinceTheCommit() {
        assertThat(phases(seen(3L, 10L, 20, Acks.ALL, 2, 5)).catchUp()).isEqualTo(5 * MILLI);
        assertThat(phases(seen(3L, 10L, 20, Acks.ALL, 2, 500)).catchUp()).isEqualTo(12 * MILLI);
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
        ProbeEstimate seen = new ProbeEstimate(10, 10, 10, 0, 10, 9, Acks.ALL, 0, 0, (from, to) -> 0, List.of());
        assertThatThrownBy(() -> phases(seen)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anInstantThatIsNotKnownCannotBeRead() {
        ProbeEstimate seen = seen(null, null, 20, Acks.ALL, 2);
        LeaderInstants there = new LeaderInstants(UNKNOWN, UNKNOWN, 0, 1, new TreeMap<>(), 2, UNKNOWN);

        assertThatIllegalStateException()
                .isThrownBy(seen::appended)
                .withMessage("the instant of the append is not known");
        assertThatIllegalStateException().isThrownBy(seen::acknowledged);
        assertThatIllegalStateException().isThrownBy(there::received);
        assertThatIllegalStateException().isThrownBy(there::dequeued);
        assertThatIllegalStateException().isThrownBy(there::answered);
        assertThat(there.mapped(at -> at + 5).since(5)).containsOnlyKeys("append_began");
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
        ProbeEstimate seen = new ProbeEstimate(
                scheduled,
                scheduled + dispatched,
                scheduled + appended,
                0,
                scheduled + acknowledged,
                scheduled + endToEnd,
                acks,
                oneWay,
                oneWay / 2,
                (from, to) -> catchUp,
                List.of());
        Instants instants = seen.estimated().instants();
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
