/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
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
        int p99 = 0;
        for (int run = 0; run < RUNS; run++) {
            p99 += windows(run, 1).clear() ? 1 : 0;
        }
        assertThat(p99).as("p99").isLessThanOrEqualTo(RUNS / 20);
    }

    @Test
    void tenPerCentMoreAtP99AreFoundAsOftenAsTheDetectableDifferenceSays() {
        int found = 0;
        int held = 0;
        double detectable = 0;
        for (int run = 0; run < RUNS; run++) {
            Difference difference = windows(run, 1.1);
            found += difference.low() > 1 ? 1 : 0;
            held += difference.low() <= 1.1 && 1.1 <= difference.high() ? 1 : 0;
            detectable += difference.detectable() / RUNS;
        }
        assertThat(detectable).isBetween(1.05, 1.1);
        assertThat(found / (double) RUNS).isGreaterThanOrEqualTo(0.8);
        assertThat(held / (double) RUNS).isBetween(0.92, 0.98);
    }

    @Test
    void takenTogetherPercentilesRaiseNoMoreFalseAlarmsThanOneWould() {
        int alarms = 0;
        for (int run = 0; run < RUNS; run++) {
            alarms += least(together(minutes(run, 1), minutes(RUNS + run, 1))) <= 0.05 ? 1 : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(RUNS / 20);
    }

    @Test
    void whatGrowsByHalfIsFoundInTenMinutesAmongMany() {
        int found = 0;
        for (int run = 0; run < RUNS; run++) {
            List<Double> chances = together(minutes(run, 1), minutes(RUNS + run, 1.5));
            // Also where twenty others, of which none changed, are compared with it.
            found += 6 * chances.get(2) <= 0.05 ? 1 : 0;
        }
        assertThat(found / (double) RUNS).isGreaterThanOrEqualTo(0.8);
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
        assertThat(Difference.of(before, more, 0.95).chance(0.95, 9))
                .isCloseTo(0.00144, within(1e-5));
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
        Percentiles some =
                Percentiles.of(
                        Synthetic.histograms(
                                new Synthetic(1, 0.003, 0.5, 0, 0, 0).hours(12, PROBES)));
        Percentiles none = Percentiles.of(List.of(Histogram.EMPTY));
        assertThat(Difference.of(some.at(0.5, 0.95), none.at(0.5, 0.95), 0.95).known()).isFalse();
    }

    private static Difference windows(long run, double factor) {
        Percentiles before = hours(new Synthetic(5000 + run, 0.003, 0.4, 0.05, 0.3, 0.2));
        Percentiles after = hours(new Synthetic(9000 + run, 0.003 * factor, 0.4, 0.05, 0.3, 0.2));
        return Difference.of(before.at(0.99, 0.95), after.at(0.99, 0.95), 0.95);
    }

    /** With the hours of the day as strata. */
    private static Percentiles hours(Synthetic synthetic) {
        List<Block> blocks = synthetic.hours(HOURS, PROBES);
        return Percentiles.of(
                Synthetic.histograms(blocks),
                blocks.stream()
                        .mapToInt(block -> block.start().atZone(ZoneOffset.UTC).getHour())
                        .toArray());
    }

    /** Ten minutes of sixty probes a second, in minutes that differ from each other. */
    private static Percentiles minutes(long run, double factor) {
        return Percentiles.of(
                Synthetic.histograms(
                        new Synthetic(20_000 + run, 0.005 * factor, 0.6, 0.1, 0, 0)
                                .hours(10, 3_600)));
    }

    private static List<Double> together(Percentiles before, Percentiles after) {
        return Holm.together(
                Stream.of(0.5, 0.9, 0.99, 0.999)
                        .map(
                                p ->
                                        Difference.of(before.at(p, 0.95), after.at(p, 0.95), 0.95)
                                                .chance(0.95, before.freedom()))
                        .toList());
    }

    private static double least(List<Double> chances) {
        return chances.stream().filter(chance -> chance >= 0).min(Double::compare).orElse(1.0);
    }
}
