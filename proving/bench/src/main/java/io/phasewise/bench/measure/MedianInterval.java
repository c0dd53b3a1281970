/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import java.util.List;
import org.apache.commons.math3.distribution.BinomialDistribution;

/**
 * The median of a few values with an interval for the true median. It assumes only that the values
 * are independent: then the number of values below the true median is binomial with p = 1/2 (David
 * and Nagaraja, "Order Statistics", 7.1).
 *
 * @param median of the values
 * @param low lower end of the interval
 * @param high upper end of the interval
 * @param coverage probability that the true median lies within: at least 0.95 with six values
 *     or more, else that of the range of all values
 * @param values how many there were
 */
public record MedianInterval(double median, double low, double high, double coverage, int values) {
    private static final double WANTED = 0.95;

    /**
     * The narrowest such interval of a sample.
     *
     * @param sample at least one value, in any order
     */
    public static MedianInterval of(List<Double> sample) {
        List<Double> sorted = sample.stream().sorted().toList();
        int n = sorted.size();
        BinomialDistribution below = new BinomialDistribution(null, n, 0.5);
        int left = 0;
        while (2 * left < n - 3 && coverage(below, left + 1) >= WANTED) {
            left++;
        }
        return new MedianInterval(
                (sorted.get((n - 1) / 2) + sorted.get(n / 2)) / 2,
                sorted.get(left),
                sorted.get(n - 1 - left),
                Math.max(0, coverage(below, left)),
                n);
    }

    /**
     * The interval from the value with {@code left} values below it to the value with as many above
     * it.
     */
    private static double coverage(BinomialDistribution below, int left) {
        return 1 - 2 * below.cumulativeProbability(left);
    }

    @Override
    public String toString() {
        return "median %.3f, %.1f %% interval %.3f to %.3f, %d values"
                .formatted(median, 100 * coverage, low, high, values);
    }
}
