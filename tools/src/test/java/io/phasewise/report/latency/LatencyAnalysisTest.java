/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.common.phase.Phase;
import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Histogram.Bucket;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the latencies of a window amount to. */
class LatencyAnalysisTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
    private static final int HOURS = 15 * 24;
    private static final Counts GOOD = new Counts(1000, 0, 0, 0, 0);

    @Test
    void lostProbesAreSlowerThanAnyThatCame() {
        Latency latency = analysed(hour -> flat(0.010), hour -> new Counts(1000, 20, 20, 0, 0));
        assertThat(latency.endToEnd().get(0).value()).isBetween(0.009, 0.011);
        assertThat(latency.p99().value()).isInfinite();
        assertThat(latency.phases().get(Phase.COMMIT).get(4).finite()).isTrue();
    }

    @Test
    void theObjectiveCountsAllProbesAndTheBudget() {
        Latency latency = analysed(hour -> flat(0.010), hour -> new Counts(1000, 5, 0, 0, 0));
        assertThat(latency.objective().kept()).isTrue();
        assertThat(latency.objective().good().value()).isCloseTo(0.995, within(1e-9));
        assertThat(latency.objective().budgetUsed()).isCloseTo(0.5, within(1e-9));
    }

    @ParameterizedTest(name = "{0} of 1,000 bad ones were the canary''s own: left out {1}")
    @CsvSource({"900, true", "60, false", "NaN, false"})
    void slowHoursCountInPercentilesUnlessTheCanaryWasStarved(double own, boolean leftOut) {
        Latency latency = analysed(
                hour -> flat(hour < 24 ? 10 : 0.010), hour -> hour < 24 ? new Counts(1000, 1000, 0, 0, own) : GOOD);
        assertThat(latency.p99().value() < 0.1).isEqualTo(leftOut);
        assertThat(latency.p99().value() > 9).isEqualTo(!leftOut);
        assertThat(latency.objective().kept()).isFalse();
    }

    @Test
    void whereTheCanaryDoesNotCountItsOwnBadOnesItsHoursAreUnknown() {
        assertThat(measured(hour -> flat(0.01), hour -> new Counts(1000, 0, 0, 0, Double.NaN))
                        .blocksUnknown())
                .isEqualTo(HOURS);
    }

    @Test
    void ofACanaryThatWasStarvedThroughoutValuesAreShownWithoutIntervals() {
        Latency latency = analysed(hour -> flat(0.010), hour -> new Counts(1000, 20, 0, 0, 20));
        assertThat(latency.endToEnd().get(0).value()).isBetween(0.009, 0.011);
        assertThat(latency.endToEnd().get(0).enough()).isFalse();
        assertThat(latency.objective().kept()).isFalse();
    }

    @Test
    void probesThatCameAfterAllCountOnce() {
        // Of each thousand 20 are given up, and as many come back, of which the histogram has the
        // latency: none is beyond.
        Latency latency = analysed(hour -> flat(0.010), hour -> new Counts(1000, 20, 20, 20, 0));
        assertThat(latency.endToEnd().get(6).value()).isLessThan(0.02);
        assertThat(latency.objective().lost()).isZero();
    }

    @Test
    void hoursFromWhichNothingCameCountAsLost() {
        Latency latency = analysed(
                hour -> hour < 24 ? Histogram.EMPTY : flat(0.01),
                hour -> hour < 24 ? new Counts(1000, 1000, 1000, 0, 0) : GOOD);
        assertThat(latency.endToEnd().get(3).value()).isInfinite();
    }

    @Test
    void aLeaderWhoseProbesWereLostIsTheWorst() {
        WindowData measured = measured(hour -> flat(0.01), hour -> GOOD);
        measured.leaderCounts().put("9", new TreeMap<>(Map.of(START, new Counts(500, 500, 500, 0, Double.NaN))));
        Latency latency = new LatencyAnalysis(measured, ZoneOffset.UTC).latency();
        assertThat(latency.leaders().get(0).id()).isEqualTo("9");
        assertThat(latency.leaders().get(0).p50().value()).isInfinite();
        assertThat(latency.leaders().get(0).lost()).isEqualTo(500);
    }

    @Test
    void theTailIsNamedAfterWhatSlowProbesAreMadeOf() {
        WindowData measured = measured(hour -> flat(0.01), hour -> new Counts(1000, 5, 0, 0, 0));
        measured.slow().put(Phase.FETCH, new TreeMap<>(Map.of(START, 90.0)));
        measured.slow().put(Phase.COMMIT, new TreeMap<>(Map.of(START, 10.0)));
        Latency latency = new LatencyAnalysis(measured, ZoneOffset.UTC).latency();
        assertThat(latency.phases().get(Phase.COMMIT).get(4).value())
                .isGreaterThan(latency.phases().get(Phase.FETCH).get(4).value());
        assertThat(latency.dominating()).containsExactly(Phase.FETCH);
        assertThat(latency.slowSeconds()).containsEntry(Phase.FETCH, 90.0);
    }

    @Test
    void hoursAndDaysAreThoseOfTheZone() {
        IntFunction<Histogram> slowAtEight = hour -> flat(hour % 24 == 8 ? 0.1 : 0.01);
        Latency utc = analysed(slowAtEight, hour -> GOOD);
        Latency berlin = new LatencyAnalysis(measured(slowAtEight, hour -> GOOD), ZoneId.of("Europe/Berlin")).latency();
        assertThat(utc.hours().get(8).p50().value()).isGreaterThan(0.05);
        assertThat(berlin.hours().get(9).p50().value()).isGreaterThan(0.05);
        assertThat(utc.days()).hasSize(15);
        assertThat(berlin.days()).hasSize(15);
    }

    @Test
    void aTrendOfOnePerCentADayIsFound() {
        Latency latency = analysed(hour -> flat(0.01 * Math.pow(1.05, hour / 24)), hour -> GOOD);
        assertThat(latency.p50Trend().clear()).isTrue();
        assertThat(latency.p50Trend().factor()).isCloseTo(1.05, within(0.005));
    }

    private static Latency analysed(IntFunction<Histogram> hours, IntFunction<Counts> counts) {
        return new LatencyAnalysis(measured(hours, counts), ZoneOffset.UTC).latency();
    }

    private static WindowData measured(IntFunction<Histogram> hours, IntFunction<Counts> counts) {
        Window window = Window.fine(START, START.plus(Duration.ofHours(HOURS)));
        WindowData whole = SampleWindow.measured(window, hours, counts);
        Map<Phase, List<Block>> phases = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            double seconds = phase == Phase.COMMIT ? 0.004 : 0.001;
            phases.put(phase, SampleWindow.blocks(window, hour -> flat(seconds)));
        }
        List<Block> leader = SampleWindow.blocks(window.coarse(), block -> flat(0.01));
        return new WindowData(
                window,
                whole.form(),
                whole.endToEnd(),
                phases,
                window.coarse(),
                new TreeMap<>(Map.of("1", leader, "2", leader)),
                new TreeMap<>(),
                whole.counts(),
                new EnumMap<>(Phase.class),
                whole.target(),
                whole.objective(),
                1);
    }

    /** A thousand probes around a latency. */
    private static Histogram flat(double seconds) {
        return Histogram.of(
                List.of(
                        new Bucket(0.9 * seconds, 0.98 * seconds, 300),
                        new Bucket(0.98 * seconds, 1.02 * seconds, 400),
                        new Bucket(1.02 * seconds, 1.1 * seconds, 300)),
                1000 * seconds);
    }
}
