/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** A change is found as often as is promised, and none is where there is none. */
class DifferenceTest {

    private static final Offset<Double> EXACT = within(1e-9);
    private static final int RUNS = 200;
    private static final int HOURS = 96;
    private static final int PROBES = 100;
    private static final ToIntFunction<Block> HOUR_OF_DAY =
            block -> block.start().atZone(ZoneOffset.UTC).getHour();
    private static final ToIntFunction<Block> NOTHING = block -> 0;

    @Test
    void whereNothingChangedAChangeIsRarelySeen() {
        int p99 = 0;
        for (int run = 0; run < RUNS; run++) {
            p99 += difference(windows(run, 1), 0.99).clear() ? 1 : 0;
        }
        assertThat(p99).as("p99").isLessThanOrEqualTo(RUNS / 20);
    }

    @Test
    void tenPerCentMoreAtP99AreFoundAsOftenAsTheDetectableDifferenceSays() {
        int found = 0;
        int held = 0;
        double detectable = 0;
        for (int run = 0; run < RUNS; run++) {
            Difference difference = difference(windows(run, 1.1), 0.99);
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
            double[] chances = together(minutes(run, 1), minutes(RUNS + run, 1.5));
            // Also where twenty others, of which none changed, are compared with it.
            found += 6 * chances[2] <= 0.05 ? 1 : 0;
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
    void aQuietWeekendMoreIsNoImprovement() {
        List<Block> before = new Synthetic(1, 0.003, 0.5, 0, 0, 0).hours(120, PROBES);
        List<Block> after =
                new ArrayList<>(new Synthetic(2, 0.003, 0.5, 0, 0, 0).hours(120, PROBES));
        // Hours 120 to 167 of a week are the weekend, in which everything takes a third.
        for (Block each : new Synthetic(3, 0.001, 0.5, 0, 0, 0).hours(48, PROBES)) {
            after.add(new Block(each.start().plus(Duration.ofHours(120)), each.histogram()));
        }
        ToIntFunction<Block> hourOfWeek =
                block -> (int) Duration.between(Synthetic.START, block.start()).toHours() % 168;
        Matching matched = Matching.of(before, after, hourOfWeek, NOTHING);
        assertThat(difference(matched, 0.5).clear()).isFalse();
        assertThat(matched.strata()).isEqualTo(120);
        assertThat(matched.left()).isCloseTo(48 / 288.0, within(0.001));
        Matching unmatched = Matching.of(before, after, NOTHING, NOTHING);
        assertThat(difference(unmatched, 0.5).high()).isLessThan(1);
    }

    @Test
    void windowsWithoutACommonHourCannotBeCompared() {
        List<Block> before = new Synthetic(1, 0.003, 0.5, 0, 0, 0).hours(12, PROBES);
        List<Block> after = new Synthetic(1, 0.003, 0.5, 0, 0, 0).hours(24, PROBES).subList(12, 24);
        Matching matching = Matching.of(before, after, HOUR_OF_DAY, NOTHING);
        assertThat(matching.strata()).isZero();
        assertThat(difference(matching, 0.5).known()).isFalse();
    }

    private static Matching windows(long run, double factor) {
        List<Block> before =
                new Synthetic(5000 + run, 0.003, 0.4, 0.05, 0.3, 0.2).hours(HOURS, PROBES);
        List<Block> after =
                new Synthetic(9000 + run, 0.003 * factor, 0.4, 0.05, 0.3, 0.2).hours(HOURS, PROBES);
        return Matching.of(before, after, HOUR_OF_DAY, HOUR_OF_DAY);
    }

    /** Ten minutes of sixty probes a second, in minutes that differ from each other. */
    private static Percentiles minutes(long run, double factor) {
        return Percentiles.of(
                Synthetic.histograms(
                        new Synthetic(20_000 + run, 0.005 * factor, 0.6, 0.1, 0, 0)
                                .hours(10, 3_600)));
    }

    private static double[] together(Percentiles before, Percentiles after) {
        return Holm.together(
                DoubleStream.of(0.5, 0.9, 0.99, 0.999)
                        .map(
                                p ->
                                        Difference.of(before.at(p, 0.95), after.at(p, 0.95), 0.95)
                                                .chance(0.95, before.freedom()))
                        .toArray());
    }

    private static double least(double... chances) {
        return DoubleStream.of(chances).filter(chance -> chance >= 0).min().orElse(1);
    }

    private static Difference difference(Matching matching, double p) {
        return Difference.of(matching.before().at(p, 0.95), matching.after().at(p, 0.95), 0.95);
    }
}
