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
    private final RecentWindow window = new RecentWindow(clock::get, false);

    @Test
    void percentilesAreExact() {
        for (int i = 1; i <= 1000; i++) {
            record(i * MS);
        }

        assertThat(window.summary().count()).isEqualTo(1000);
        assertThat(window.summary().p50Seconds()).isEqualTo(0.5);
        assertThat(window.summary().p99Seconds()).isEqualTo(0.99);

        for (int i = 1; i <= 1000; i++) {
            record(3600 * SECOND);
        }
        assertThat(window.summary().p99Seconds()).as("an hour fits").isEqualTo(3600);
    }

    @Test
    void whatIsOlderThanAMinuteIsForgotten() {
        record(5 * MS);
        clock.addAndGet(54 * SECOND);
        record(7 * MS);
        assertThat(window.summary().count()).isEqualTo(2);

        clock.addAndGet(7 * SECOND);

        assertThat(window.summary().count()).isEqualTo(1);
        assertThat(window.summary().p50Seconds()).isEqualTo(0.007);

        clock.addAndGet(3600 * SECOND);
        assertThat(window.summary().count()).as("a long silence").isZero();
        assertThat(window.summary().p50Seconds()).as("of no probe").isNaN();
        record(9 * MS);
        assertThat(window.summary().count()).isEqualTo(1);
    }

    @Test
    void meanPhasesAddUpToTheMeanLatencyAndLeaveTheWindowWithIt() {
        window.record(new PhaseBreakdown(1_000_000, 2_000_000, 3_000_000, 0, 4_000_000));
        clock.addAndGet(10 * SECOND);
        window.record(new PhaseBreakdown(3_000_000, 2_000_000, 3_000_000, 0, 2_000_000));

        assertThat(means())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of(
                                Phase.PRODUCE, 0.002,
                                Phase.PUBLISH, 0.002,
                                Phase.COMMIT, 0.003,
                                Phase.CATCH_UP, 0.0,
                                Phase.FETCH, 0.003));

        clock.addAndGet(90 * SECOND);
        assertThat(means().values()).allMatch(v -> v.isNaN());
    }

    @Test
    void eachPhaseHasPercentilesOfItsOwn() {
        for (int i = 1; i <= 1000; i++) {
            window.record(new PhaseBreakdown(i * MS, 0, (1001 - i) * 10 * MS, 0, 7 * MS));
        }

        Map<Phase, ClusterStatus.PartSeconds> phases = window.summary().phases();
        assertThat(phases.get(Phase.PRODUCE).p50()).isEqualTo(0.5);
        assertThat(phases.get(Phase.PRODUCE).p99()).isEqualTo(0.99);
        assertThat(phases.get(Phase.COMMIT).p99()).isEqualTo(9.9);
        assertThat(phases.get(Phase.FETCH).p50()).isEqualTo(0.007);
        assertThat(phases.get(Phase.CATCH_UP).p99()).isZero();

        assertThat(window.summary().mirror()).isNull();

        clock.addAndGet(61 * SECOND);
        assertThat(window.summary().phases().get(Phase.COMMIT).p99()).isNaN();
    }

    @Test
    void ofAMirroredProfileTheMirrorHasItsOwn() {
        RecentWindow recent = new RecentWindow(clock::get, true);
        recent.record(new PhaseBreakdown(MS, 0, 0, 40 * MS, 0, MS));
        recent.record(new PhaseBreakdown(MS, 0, 0, 20 * MS, 0, MS));

        ClusterStatus.PartSeconds mirror = recent.summary().mirror();
        assertThat(mirror.mean()).isCloseTo(0.03, within(1e-9));
        assertThat(mirror.p50()).isEqualTo(0.02);
        assertThat(mirror.p99()).isEqualTo(0.04);
    }

    @Test
    void ofMoreProbesThanItKeepsTheWindowIsShorter() {
        for (int i = 0; i < 60_000; i++) {
            record(i < 10_000 ? SECOND : MS);
            clock.addAndGet(MS);
        }

        assertThat(window.summary().count()).isEqualTo(32_768);
        assertThat(window.summary().seconds()).isEqualTo(32);
        assertThat(window.summary().p99Seconds()).isEqualTo(0.001);
    }

    private void record(long nanos) {
        window.record(new PhaseBreakdown(0, 0, 0, 0, nanos));
    }

    private Map<Phase, Double> means() {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        window.summary().phases().forEach((phase, seconds) -> means.put(phase, seconds.mean()));
        return means;
    }
}
