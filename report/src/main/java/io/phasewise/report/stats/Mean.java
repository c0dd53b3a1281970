/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.Arrays;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A mean of values in the order of time, with an interval that allows for neighbours being alike
 * (batch means: Schmeiser 1982).
 *
 * @param value the mean; NaN where there is nothing
 * @param low lower end of the interval; NaN where there are too few values
 * @param high its upper end
 */
public record Mean(double value, double low, double high) {

    private static final int BATCHES = 24;
    private static final int FEWEST = 4;

    /** Of finite values; others are left out. */
    public static Mean of(double[] values, double confidence) {
        double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
        int size = Math.max(1, finite.length / BATCHES);
        SummaryStatistics batches = new SummaryStatistics();
        for (int from = 0; from + size <= finite.length; from += size) {
            batches.addValue(Arrays.stream(finite, from, from + size).average().orElseThrow());
        }
        double mean = Arrays.stream(finite).average().orElse(Double.NaN);
        long n = batches.getN();
        if (n < FEWEST) {
            return new Mean(mean, Double.NaN, Double.NaN);
        }
        double half =
                batches.getStandardDeviation()
                        / Math.sqrt(n)
                        * TDistribution.of(n - 1)
                                .inverseCumulativeProbability(0.5 + confidence / 2);
        return new Mean(mean, mean - half, mean + half);
    }

    /** Whether a value lies in the interval. */
    public boolean holds(double truth) {
        return low <= truth && truth <= high;
    }
}
