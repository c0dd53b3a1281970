/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.common.phase.Phase;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentWindowTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;

    private final AtomicLong clock = new AtomicLong(-3 * SECOND);
    private final RecentWindow window = new RecentWindow(clock::get);

    @Test
    void percentilesAreExactToOnePerCent() {
        for (int i = 1; i <= 1000; i++) {
            window.record(i * MS);
        }

        assertThat(window.summary().count()).isEqualTo(1000);
        assertThat(window.summary().p50Seconds()).isCloseTo(0.5, within(0.005));
        assertThat(window.summary().p99Seconds()).isCloseTo(0.99, within(0.01));

        for (int i = 1; i <= 1000; i++) {
            window.record(3600 * SECOND);
        }
        assertThat(window.summary().p99Seconds()).as("an hour fits").isCloseTo(3600, within(36.0));
    }

    @Test
    void whatIsOlderThanAMinuteIsForgotten() {
        window.record(5 * MS);
        clock.addAndGet(54 * SECOND);
        window.record(7 * MS);
        assertThat(window.summary().count()).isEqualTo(2);

        clock.addAndGet(7 * SECOND);

        assertThat(window.summary().count()).isEqualTo(1);
        assertThat(window.summary().p50Seconds()).isCloseTo(0.007, within(0.0001));

        clock.addAndGet(3600 * SECOND);
        assertThat(window.summary().count()).as("a long silence").isZero();
        assertThat(window.summary().p50Seconds()).as("of no probe").isNaN();
        window.record(9 * MS);
        assertThat(window.summary().count()).isEqualTo(1);
    }

    @Test
    void meanPhasesAddUpToTheMeanLatencyAndLeaveTheWindowWithIt() {
        window.record(new PhaseBreakdown(1_000_000, 2_000_000, 3_000_000, 0, 4_000_000));
        clock.addAndGet(10 * SECOND);
        window.record(new PhaseBreakdown(3_000_000, 2_000_000, 3_000_000, 0, 2_000_000));

        assertThat(means())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        Phase.PRODUCE, 0.002,
                        Phase.PUBLISH, 0.002,
                        Phase.COMMIT, 0.003,
                        Phase.CATCH_UP, 0.0,
                        Phase.FETCH, 0.003));

        clock.addAndGet(90 * SECOND);
        assertThat(means().values()).allMatch(v -> v.isNaN());
    }

    @Test
    void eachPhaseHasPercentilesOfItsOwnExactToOnePerCent() {
        for (int i = 1; i <= 1000; i++) {
            window.record(new PhaseBreakdown(i * MS, 0, (1001 - i) * 10 * MS, 0, 7 * MS));
        }

        Map<Phase, ClusterStatus.PhaseSeconds> phases = window.summary().phases();
        assertThat(phases.get(Phase.PRODUCE).p50()).isCloseTo(0.5, within(0.005));
        assertThat(phases.get(Phase.PRODUCE).p99()).isCloseTo(0.99, within(0.01));
        assertThat(phases.get(Phase.COMMIT).p99()).isCloseTo(9.9, within(0.1));
        assertThat(phases.get(Phase.FETCH).p50()).isCloseTo(0.007, within(0.00007));
        assertThat(phases.get(Phase.CATCH_UP).p99()).isZero();

        clock.addAndGet(61 * SECOND);
        assertThat(window.summary().phases().get(Phase.COMMIT).p99()).isNaN();
    }

    private Map<Phase, Double> means() {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        window.summary().phases().forEach((phase, seconds) -> means.put(phase, seconds.mean()));
        return means;
    }
}
