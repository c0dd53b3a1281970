/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * By which factor a quantity grows in a unit of time: a straight line through its logarithms, by
 * least squares, with the interval of its slope (Student).
 *
 * @param factor growth in one unit of time: 1.02 is 2 % more each time
 * @param low lower end of the interval of factor
 * @param high its upper end
 * @param points how many values
 */
public record Trend(double factor, double low, double high, int points) {

    /** Fewer points than these give no trend. */
    public static final int LEAST = 5;

    /**
     * Fits.
     *
     * @param times in the unit wanted
     * @param values positive; others are left out
     * @param confidence of the interval, between 0 and 1
     * @return NaN all over with fewer than {@link #LEAST} points
     */
    public static Trend of(double[] times, double[] values, double confidence) {
        SimpleRegression line = new SimpleRegression();
        for (int i = 0; i < times.length; i++) {
            if (values[i] > 0 && Double.isFinite(values[i])) {
                line.addData(times[i], Math.log(values[i]));
            }
        }
        int points = (int) line.getN();
        if (points < LEAST) {
            return new Trend(Double.NaN, Double.NaN, Double.NaN, points);
        }
        double half = line.getSlopeConfidenceInterval(1 - confidence);
        return new Trend(
                Math.exp(line.getSlope()),
                Math.exp(line.getSlope() - half),
                Math.exp(line.getSlope() + half),
                points);
    }

    /** Whether it was possible to fit a line. */
    public boolean known() {
        return !Double.isNaN(factor);
    }

    /** Whether the interval leaves no growth out. */
    public boolean clear() {
        return known() && (low > 1 || high < 1);
    }
}
