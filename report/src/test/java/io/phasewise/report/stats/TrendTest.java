/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Growth is found where it is, and not where it is not. */
class TrendTest {

    private static final int RUNS = 200;

    @Test
    void growthOfOnePerCentADayIsFound() {
        Trend trend = Trend.of(days(), values(1, 0.01, 0.02), 0.95);
        assertThat(trend.factor()).isCloseTo(1.01, within(0.002));
        assertThat(trend.low()).isGreaterThan(1);
        assertThat(trend.clear()).isTrue();
    }

    @Test
    void noGrowthIsRarelyTakenForSome() {
        int alarms = 0;
        int covered = 0;
        for (int run = 0; run < RUNS; run++) {
            alarms += Trend.of(days(), values(run, 0, 0.1), 0.95).clear() ? 1 : 0;
            Trend growing = Trend.of(days(), values(run, 0.01, 0.1), 0.95);
            covered += growing.low() <= Math.exp(0.01) && Math.exp(0.01) <= growing.high() ? 1 : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(RUNS / 20 + 6);
        assertThat(covered / (double) RUNS).isBetween(0.92, 0.98);
    }

    @Test
    void aFewPointsAreNoTrend() {
        Trend trend = Trend.of(new double[] {1, 2, 3, 4, 5}, new double[] {1, 2, 3, 4, 0}, 0.95);
        assertThat(trend.known()).isFalse();
        assertThat(trend.clear()).isFalse();
        assertThat(trend.points()).isEqualTo(4);
    }

    private static double[] days() {
        double[] days = new double[30];
        for (int i = 0; i < days.length; i++) {
            days[i] = i;
        }
        return days;
    }

    private static double[] values(long seed, double growth, double noise) {
        Random random = new Random(seed);
        double[] values = new double[30];
        for (int i = 0; i < values.length; i++) {
            values[i] = 0.01 * Math.exp(growth * i + noise * random.nextGaussian());
        }
        return values;
    }
}
