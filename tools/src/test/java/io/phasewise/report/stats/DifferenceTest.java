/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static io.phasewise.report.stats.Synthetic.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** A change is found as often as is promised, and none is where there is none. */
class DifferenceTest {

    private static final Offset<Double> EXACT = within(1e-9);
    private static final int RUNS = 200;
    private static final int HOURS = 96;
    private static final int PROBES = 100;

    @Test
    void whereNothingChangedAChangeIsRarelySeen() {
        assertThat(share(RUNS, run -> windows(run, 1).clear())).isLessThanOrEqualTo(0.05);
    }

    @Test
    void tenPerCentMoreAtP99AreFoundAsOftenAsTheDetectableDifferenceSays() {
        List<Difference> seen =
                IntStream.range(0, RUNS).mapToObj(run -> windows(run, 1.1)).toList();

        assertThat(seen.stream().mapToDouble(Difference::detectable).average().orElseThrow())
                .isBetween(1.05, 1.1);
        assertThat(share(RUNS, run -> seen.get(run).low() > 1)).isGreaterThanOrEqualTo(0.8);
        assertThat(share(
                        RUNS,
                        run -> seen.get(run).low() <= 1.1
                                && 1.1 <= seen.get(run).high()))
                .isBetween(0.92, 0.98);
    }

    @Test
    void takenTogetherPercentilesRaiseNoMoreFalseAlarmsThanOneWould() {
        assertThat(share(RUNS, run -> least(together(run, 1)) <= 0.05)).isLessThanOrEqualTo(0.05);
    }

    @Test
    void whatGrowsByHalfIsFoundInTenMinutesAmongMany() {
        // Also where twenty others, of which none changed, are compared with it.
        assertThat(share(RUNS, run -> 6 * together(run, 1.5).get(2) <= 0.05)).isGreaterThanOrEqualTo(0.8);
    }

    @Test
    void anIntervalThatEndsAtNoChangeHasTheChanceItWasMadeFor() {
        Estimate before = new Estimate(0.5, 0.002, 0.002, 0.002, 100, 10);
        Estimate slower = new Estimate(0.5, 0.004, 0.002, 0.009, 100, 10);
        Estimate faster = new Estimate(0.5, 0.001, 0.0001, 0.002, 100, 10);
        Estimate more = new Estimate(0.5, 0.008, 0.004, 0.009, 100, 10);

        assertThat(Difference.of(before, slower, 0.95).chance(0.95, 9)).isCloseTo(0.05, EXACT);
        assertThat(Difference.of(before, faster, 0.95).chance(0.95, 9)).isCloseTo(0.05, EXACT);
        // Twice 2.262 standard errors: t of nine degrees, both sides.
        assertThat(Difference.of(before, more, 0.95).chance(0.95, 9)).isCloseTo(0.00144, within(1e-5));
    }

    @Test
    void belowAMicrosecondNothingChanges() {
        Estimate nearlyNothing = new Estimate(0.5, 2e-9, 0, 3e-9, 100, 10);
        Estimate less = new Estimate(0.5, 1e-12, 0, 1e-11, 100, 10);
        Estimate some = new Estimate(0.5, 1e-3, 0.9e-3, 1.1e-3, 100, 10);

        Difference none = Difference.of(nearlyNothing, less, 0.95);
        assertThat(none.factor()).isEqualTo(1);
        assertThat(none.clear()).isFalse();
        assertThat(none.chance(0.95, 9)).isEqualTo(1);
        assertThat(Difference.of(some, less, 0.95).factor()).isCloseTo(1e-3, EXACT);
        assertThat(Difference.of(less, some, 0.95).low()).isCloseTo(900, within(1e-6));
    }

    @Test
    void windowsWithoutProbesCannotBeCompared() {
        Percentiles some = Percentiles.of(Synthetic.independent(12, PROBES));
        Percentiles none = Percentiles.of(List.of(Histogram.EMPTY));
        assertThat(Difference.of(some.at(0.5, 0.95), none.at(0.5, 0.95), 0.95).known())
                .isFalse();
    }

    private static Difference windows(long run, double factor) {
        Percentiles before = hours(new Synthetic(5000 + run, 0.003, 0.4, 0.05, 0.3, 0.2));
        Percentiles after = hours(new Synthetic(9000 + run, 0.003 * factor, 0.4, 0.05, 0.3, 0.2));
        return Difference.of(before.at(0.99, 0.95), after.at(0.99, 0.95), 0.95);
    }

    /** With the hours of the day as strata. */
    private static Percentiles hours(Synthetic synthetic) {
        return Percentiles.of(synthetic.hours(HOURS, PROBES), Synthetic.hoursOfTheDay(HOURS));
    }

    /** Ten minutes of sixty probes a second, in minutes that differ from each other. */
    private static Percentiles minutes(long run, double factor) {
        return Percentiles.of(new Synthetic(20_000 + run, 0.005 * factor, 0.6, 0.1, 0, 0).hours(10, 3_600));
    }

    private static List<Double> together(int run, double factor) {
        Percentiles before = minutes(run, 1);
        Percentiles after = minutes(RUNS + run, factor);
        List<Double> chances = new ArrayList<>();
        for (double p : new double[] {0.5, 0.9, 0.99, 0.999}) {
            Difference each = Difference.of(before.at(p, 0.95), after.at(p, 0.95), 0.95);
            chances.add(each.chance(0.95, before.freedom()));
        }
        return Holm.together(chances);
    }

    private static double least(List<Double> chances) {
        return chances.stream()
                .filter(chance -> chance >= 0)
                .min(Double::compare)
                .orElse(1.0);
    }
}
