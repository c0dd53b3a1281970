/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static io.phasewise.report.stats.Synthetic.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrendTest {

    private static final int RUNS = 400;

    /** Weekdays have this much, Saturday and Sunday less. */
    private static final double WEEKEND = 0.6;

    @Test
    void growthOfOnePerCentADayIsFoundThroughWeekends() {
        Trend trend = of(1, 28, 0, 0.01, 0.02);
        assertThat(trend.factor()).isCloseTo(1.01, within(0.002));
        assertThat(trend.clear()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {14, 17, 21})
    void aWeeksShapeIsNoGrowthOnWhicheverDayTheWindowBegins(int length) {
        assertThat(IntStream.range(0, 7).boxed())
                .allSatisfy(begin -> assertThat(share(RUNS, run -> isAlarm(run, length, begin)))
                        .isLessThanOrEqualTo(0.085));
    }

    private static boolean isAlarm(int run, int length, int begin) {
        return of(1000 * begin + run, length, begin, 0, 0.1).clear();
    }

    @Test
    void theIntervalHoldsTheGrowth() {
        assertThat(share(RUNS, run -> holdsOnePerCent(of(run, 28, run % 7, 0.01, 0.1))))
                .isBetween(0.92, 0.98);
    }

    private static boolean holdsOnePerCent(Trend trend) {
        return trend.low() <= Math.exp(0.01) && Math.exp(0.01) <= trend.high();
    }

    @Test
    void lessThanTwoWholeWeeksAreNoTrend() {
        assertThat(of(1, 13, 0, 0.05, 0.01).known()).isFalse();
        assertThat(of(1, 13, 0, 0.05, 0.01).points()).isEqualTo(13);
        assertThat(of(1, 14, 0, 0.05, 0.01).known()).isTrue();
        assertThat(Trend.of(new TreeMap<>(), 0.95).known()).isFalse();
        assertThat(Trend.of(new TreeMap<>(), 0.95).clear()).isFalse();
    }

    @Test
    void weeksOfWhichDaysAreMissingAreNoTrend() {
        SortedMap<Long, Double> days = days(1, 21, 0, 0.05, 0.01);
        days.put(103L, Double.NaN);
        days.put(104L, Double.POSITIVE_INFINITY);
        assertThat(Trend.of(days, 0.95).known()).isTrue();
        days.remove(105L);
        assertThat(Trend.of(days, 0.95).known()).isFalse();
    }

    private static Trend of(long seed, int length, int begin, double growth, double noise) {
        return Trend.of(days(seed, length, begin, growth, noise), 0.95);
    }

    /** From a day of the week on, Monday 0. */
    private static SortedMap<Long, Double> days(long seed, int length, int begin, double growth, double noise) {
        Random random = new Random(seed);
        SortedMap<Long, Double> days = new TreeMap<>();
        for (int i = 0; i < length; i++) {
            double level = (begin + i) % 7 >= 5 ? WEEKEND : 1;
            days.put(100L + i, level * Math.exp(growth * i + noise * random.nextGaussian()));
        }
        return days;
    }
}
