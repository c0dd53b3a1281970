/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TrendTest {

    private static final int RUNS = 400;

    /** Weekdays have this much, Saturday and Sunday less. */
    private static final double WEEKEND = 0.6;

    @Test
    void growthOfOnePerCentADayIsFoundThroughWeekends() {
        Trend trend = Trend.of(days(1, 28, 0, 0.01, 0.02), 0.95);
        assertThat(trend.factor()).isCloseTo(1.01, within(0.002));
        assertThat(trend.clear()).isTrue();
    }

    @Test
    void aWeeksShapeIsNoGrowthOnWhicheverDayTheWindowBegins() {
        for (int begin = 0; begin < 7; begin++) {
            for (int length : new int[] {14, 17, 21}) {
                int alarms = 0;
                for (int run = 0; run < RUNS; run++) {
                    SortedMap<Long, Double> days = days(1000 * begin + run, length, begin, 0, 0.1);
                    alarms += Trend.of(days, 0.95).clear() ? 1 : 0;
                }
                assertThat(alarms / (double) RUNS)
                        .as("%d days from day %d of the week", length, begin)
                        .isLessThanOrEqualTo(0.085);
            }
        }
    }

    @Test
    void theIntervalHoldsTheGrowth() {
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            Trend growing = Trend.of(days(run, 28, run % 7, 0.01, 0.1), 0.95);
            covered += growing.low() <= Math.exp(0.01) && Math.exp(0.01) <= growing.high() ? 1 : 0;
        }
        assertThat(covered / (double) RUNS).isBetween(0.92, 0.98);
    }

    @Test
    void lessThanTwoWholeWeeksAreNoTrend() {
        assertThat(Trend.of(days(1, 13, 0, 0.05, 0.01), 0.95).known()).isFalse();
        assertThat(Trend.of(days(1, 13, 0, 0.05, 0.01), 0.95).points()).isEqualTo(13);
        assertThat(Trend.of(days(1, 14, 0, 0.05, 0.01), 0.95).known()).isTrue();
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

    /** From a day of the week on, Monday 0. */
    private static SortedMap<Long, Double> days(
            long seed, int length, int begin, double growth, double noise) {
        Random random = new Random(seed);
        SortedMap<Long, Double> days = new TreeMap<>();
        for (int i = 0; i < length; i++) {
            double level = (begin + i) % 7 >= 5 ? WEEKEND : 1;
            days.put(100L + i, level * Math.exp(growth * i + noise * random.nextGaussian()));
        }
        return days;
    }
}
