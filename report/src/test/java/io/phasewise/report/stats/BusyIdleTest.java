/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.report.stats.BusyIdle.Limit;
import io.phasewise.report.stats.BusyIdle.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The curve is found where there is one, with its interval, and refused where there is none. */
class BusyIdleTest {

    private static final int RUNS = 200;
    private static final double BASE = 0.005;
    private static final double SLOPE = 0.004;

    /** Where 0.005 + 0.004 x reaches 50 ms: x = 11.25. */
    private static final double TRUTH = 11.25 / 12.25;

    @Test
    void theUtilisationThatBreaksTheTargetLiesWithinItsInterval() {
        int held = 0;
        for (int run = 0; run < RUNS; run++) {
            Limit limit = BusyIdle.limit(points(run, 0.1, 0.7, 0.002), 0.05, 0.95);
            held += limit.low() <= TRUTH && TRUTH <= limit.high() ? 1 : 0;
        }
        assertThat(held / (double) RUNS).isBetween(0.92, 0.98);
    }

    @Test
    void theCurveIsFitted() {
        BusyIdle curve = BusyIdle.of(points(1, 0.1, 0.7, 0.0005), 0.95);
        assertThat(curve.against()).isEmpty();
        assertThat(curve.slope()).isCloseTo(SLOPE, within(0.0002));
        assertThat(curve.base()).isCloseTo(BASE, within(0.0002));
        assertThat(curve.slopeLow()).isLessThan(curve.slope());
        assertThat(curve.at(0.5)).isCloseTo(0.009, within(0.0003));
    }

    @Test
    void dataThatShowNoCurveAreSaidToShowNone() {
        assertThat(BusyIdle.of(points(1, 0.1, 0.15, 0.001), 0.95).against())
                .startsWith("utilisation stayed between 10 and 15 %");
        assertThat(BusyIdle.of(points(1, 0.1, 0.7, 0.1), 0.95).against()).isNotEmpty();
        assertThat(BusyIdle.of(points(1, 0.1, 0.7, 0.001).subList(0, 48), 0.95).against())
                .isEqualTo("it takes 5 days, and there are 2");
        assertThat(BusyIdle.of(List.of(), 0.95).against()).isNotEmpty();
        assertThat(BusyIdle.limit(List.of(), 0.05, 0.95).value()).isNaN();
    }

    /** Fourteen days whose utilisation follows the hour of the day, with noise. */
    private static List<Point> points(long seed, double least, double most, double noise) {
        Random random = new Random(seed);
        List<Point> points = new ArrayList<>();
        for (int hour = 0; hour < 14 * 24; hour++) {
            double share = 0.5 + 0.5 * Math.sin(2 * Math.PI * hour / 24);
            double busy = least + (most - least) * share;
            points.add(
                    new Point(
                            busy,
                            BASE + SLOPE * busy / (1 - busy) + noise * random.nextGaussian(),
                            hour / 24));
        }
        return points;
    }
}
