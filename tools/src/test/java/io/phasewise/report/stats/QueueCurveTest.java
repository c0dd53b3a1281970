/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.report.stats.QueueCurve.Limit;
import io.phasewise.report.stats.QueueCurve.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The curve is found where there is one, with its interval, and refused where there is none. */
class QueueCurveTest {

    private static final int RUNS = 200;
    private static final double BASE = 0.005;
    private static final double SLOPE = 0.004;

    /** Where 0.005 + 0.004 x reaches 50 ms: x = 11.25. */
    private static final double TRUTH = 11.25 / 12.25;

    @Test
    void theUtilisationThatBreaksTheTargetLiesWithinItsInterval() {
        assertThat(Synthetic.share(RUNS, QueueCurveTest::holdsTheTruth)).isBetween(0.92, 0.98);
    }

    private static boolean holdsTheTruth(int run) {
        Limit limit = QueueCurve.limit(points(run, 0.1, 0.7, 0.002), 1, 0.05, 0.95);
        return limit.low() <= TRUTH && TRUTH <= limit.high();
    }

    @Test
    void theCurveIsFitted() {
        QueueCurve curve = QueueCurve.of(points(1, 0.1, 0.7, 0.0005), 1, 0.95);
        assertThat(curve.against()).isEmpty();
        assertThat(curve.slope()).isCloseTo(SLOPE, within(0.0002));
        assertThat(curve.base()).isCloseTo(BASE, within(0.0002));
        assertThat(curve.slopeLow()).isLessThan(curve.slope());
        assertThat(curve.at(0.5)).isCloseTo(0.009, within(0.0003));
    }

    @Test
    void dataThatShowNoCurveAreSaidToShowNone() {
        assertThat(QueueCurve.of(points(1, 0.1, 0.15, 0.001), 1, 0.95).against())
                .startsWith("utilisation stayed between 10 and 15 %");
        assertThat(QueueCurve.of(points(1, 0.1, 0.7, 0.1), 1, 0.95).against()).isNotEmpty();
        assertThat(QueueCurve.of(points(1, 0.1, 0.7, 0.001).subList(0, 48), 1, 0.95)
                        .against())
                .isEqualTo("it takes 5 days, and there are 2");
        assertThat(QueueCurve.of(List.of(), 1, 0.95).against()).isNotEmpty();
        assertThat(QueueCurve.limit(List.of(), 1, 0.05, 0.95).value()).isNaN();
    }

    @Test
    void ofOneServerItIsKingmansForm() {
        assertThat(QueueCurve.shape(0.5, 1)).isCloseTo(1, within(1e-12));
        assertThat(QueueCurve.shape(0.9, 1)).isCloseTo(9, within(1e-9));
    }

    @Test
    void theWaitForOneOfEightServersIsThatOfErlangWithinAQuarter() {
        for (double busy : new double[] {0.7, 0.8, 0.9}) {
            double exact = erlangWait(8, busy) / erlangWait(8, 0.95);
            assertThat(QueueCurve.shape(busy, 8) / QueueCurve.shape(0.95, 8) / exact)
                    .as("%s busy", busy)
                    .isBetween(0.8, 1.25);
        }
        double exact = erlangWait(8, 0.7) / erlangWait(8, 0.95);
        assertThat(QueueCurve.shape(0.7, 1) / QueueCurve.shape(0.95, 1) / exact)
                .as("taken for a single server")
                .isGreaterThan(2);
    }

    @Test
    void theLimitOfEightServersSeenBelowItIsFoundWithinAFewPoints() {
        double service = 0.008;
        List<Point> points = new ArrayList<>();
        for (int hour = 0; hour < 14 * 24; hour++) {
            double busy = 0.55 + 0.2 * Math.sin(2 * Math.PI * hour / 24);
            points.add(new Point(busy, 0.005 + 10 * service * erlangWait(8, busy), hour / 24));
        }
        QueueCurve curve = QueueCurve.of(points, 8, 0.95);
        assertThat(curve.against()).isEmpty();
        assertThat(curve.explained()).isGreaterThan(0.97);
        double target = 0.005 + 10 * service * erlangWait(8, 0.84);
        assertThat(QueueCurve.limit(points, 8, target, 0.95).value()).isBetween(0.81, 0.87);
        assertThat(QueueCurve.limit(points, 1, target, 0.95).value()).isGreaterThan(0.865);
        assertThat(curve.farthest()).isCloseTo(0.9, within(1e-9));
    }

    /** Mean wait in service times of M/M/c: Erlang's C over c (1 - rho). */
    private static double erlangWait(int servers, double busy) {
        double offered = servers * busy;
        double term = 1;
        double sum = 0;
        for (int k = 0; k < servers; k++) {
            sum += term;
            term *= offered / (k + 1);
        }
        double all = term / (1 - busy);
        return all / (sum + all) / (servers * (1 - busy));
    }

    /** Fourteen days whose utilisation follows the hour of the day, with noise. */
    private static List<Point> points(long seed, double least, double most, double noise) {
        Random random = new Random(seed);
        List<Point> points = new ArrayList<>();
        for (int hour = 0; hour < 14 * 24; hour++) {
            double share = 0.5 + 0.5 * Math.sin(2 * Math.PI * hour / 24);
            double busy = least + (most - least) * share;
            points.add(new Point(busy, BASE + SLOPE * busy / (1 - busy) + noise * random.nextGaussian(), hour / 24));
        }
        return points;
    }
}
