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
 */
public record Spread(double mean, double most) {

    /** Of values that are not negative; NaN all over where there is none, or all are 0. */
    public static Spread of(double... values) {
        double sum = Arrays.stream(values).sum();
        if (!(sum > 0)) {
            return new Spread(Double.NaN, Double.NaN);
        }
        return new Spread(sum / values.length, Arrays.stream(values).max().orElseThrow());
    }

    /** The largest divided by the mean. */
    public double mostByMean() {
        return most / mean;
    }
}
