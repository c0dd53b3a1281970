/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.Arrays;

/**
 * How evenly something lies on brokers.
 *
 * @param mean of all
 * @param most the largest
 * @param gini 0 where all have the same, near 1 where one has all (Gini 1912)
 */
public record Spread(double mean, double most, double gini) {

    /** Of values that are not negative; NaN all over where there is none, or all are 0. */
    public static Spread of(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double sum = 0;
        double weighted = 0;
        for (int i = 0; i < sorted.length; i++) {
            sum += sorted[i];
            weighted += (i + 1) * sorted[i];
        }
        int n = sorted.length;
        if (!(sum > 0)) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN);
        }
        return new Spread(
                sum / n, sorted[n - 1], Math.max(0, 2 * weighted / (n * sum) - (n + 1.0) / n));
    }

    /** The largest divided by the mean. */
    public double mostByMean() {
        return most / mean;
    }
}
