/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.Arrays;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * How sizes fall with their rank: the r-th largest is about scale * (r - 1/2) ^ -exponent. An
 * exponent of 1 is Zipf's law; with more, a few have nearly everything.
 *
 * <p>The logarithm of rank - 1/2 is regressed on the logarithm of size, which takes away most of
 * what few sizes bias, and the standard error is that of this estimate and not of the regression,
 * whose residuals are not independent (Gabaix and Ibragimov, "Rank - 1/2", Journal of Business and
 * Economic Statistics 29, 2011). They estimate the tail exponent; this is its inverse, with the
 * same relative error (delta method).
 *
 * @param exponent positive; NaN where there is no fit
 * @param error its standard error
 * @param low lower end of the interval, on a logarithmic scale
 * @param high its upper end
 * @param scale in the unit of the sizes
 * @param sizes how many
 */
public record RankSize(
        double exponent, double error, double low, double high, double scale, int sizes) {

    /** Of fewer sizes than these the exponent would be known to no better than a half. */
    public static final int LEAST = 10;

    private static final int FEWEST_DIFFERENT = 3;

    /**
     * Fits.
     *
     * @param sizes positive; others are left out
     * @param confidence of the interval, between 0 and 1
     * @return NaN all over with fewer than {@link #LEAST} sizes, or fewer than three different ones
     */
    public static RankSize of(double[] sizes, double confidence) {
        double[] ascending =
                Arrays.stream(sizes)
                        .filter(size -> size > 0 && Double.isFinite(size))
                        .sorted()
                        .toArray();
        int n = ascending.length;
        if (n < LEAST || Arrays.stream(ascending).distinct().count() < FEWEST_DIFFERENT) {
            return new RankSize(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, n);
        }
        SimpleRegression line = new SimpleRegression();
        for (int rank = 1; rank <= n; rank++) {
            line.addData(Math.log(ascending[n - rank]), Math.log(rank - 0.5));
        }
        double exponent = -1 / line.getSlope();
        double relative = Math.sqrt(2.0 / n);
        double z = NormalDistribution.of(0, 1).inverseCumulativeProbability(0.5 + confidence / 2);
        return new RankSize(
                exponent,
                exponent * relative,
                exponent * Math.exp(-z * relative),
                exponent * Math.exp(z * relative),
                Math.exp(line.getIntercept() * exponent),
                n);
    }

    /** Whether there is a fit. */
    public boolean known() {
        return !Double.isNaN(exponent);
    }

    /** The size that the fit has at a rank, counted from 1. */
    public double at(double rank) {
        return scale * Math.pow(rank - 0.5, -exponent);
    }
}
