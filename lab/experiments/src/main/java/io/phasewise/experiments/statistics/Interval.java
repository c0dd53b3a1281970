/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import java.util.Arrays;
import org.apache.commons.statistics.descriptive.Mean;
import org.apache.commons.statistics.descriptive.StandardDeviation;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * An estimate with its interval of confidence.
 *
 * @param estimate the mean of all repeats; NaN, like the ends, where one of them has no finite
 *     value
 * @param low lower end
 * @param high upper end; NaN alone where it is not known
 */
public record Interval(double estimate, double low, double high) {

    /** Of what cannot be said. */
    static final Interval NONE = new Interval(Double.NaN, Double.NaN, Double.NaN);

    /**
     * Student's interval for the mean of one value from each repeat. Turns of one kind differ from
     * each other by more than their probes would make one think, so a repeat is one observation,
     * however many probes it holds.
     *
     * @param values one of each repeat, two at least
     * @param confidence above 0, below 1
     * @throws IllegalArgumentException when there are fewer
     */
    static Interval ofMean(double[] values, double confidence) {
        if (values.length < 2) {
            throw new IllegalArgumentException("one repeat alone says nothing of how they differ");
        }
        if (!Arrays.stream(values).allMatch(Double::isFinite)) {
            return NONE;
        }
        double mean = Mean.of(values).getAsDouble();
        double error =
                StandardDeviation.of(values).getAsDouble()
                        / Math.sqrt(values.length)
                        * TDistribution.of(values.length - 1.0)
                                .inverseSurvivalProbability((1 - confidence) / 2);
        return new Interval(mean, mean - error, mean + error);
    }

    /** In another unit. */
    public Interval times(double factor) {
        return new Interval(estimate * factor, low * factor, high * factor);
    }

    /** The same for the ratio whose logarithms were averaged. */
    Interval exponentiated() {
        return new Interval(Math.exp(estimate), Math.exp(low), Math.exp(high));
    }

    /** Whether a value lies outside. */
    public boolean excludes(double value) {
        return value < low || value > high;
    }
}
