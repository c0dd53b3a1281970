/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import java.util.Arrays;
import java.util.EnumSet;
import org.apache.commons.statistics.descriptive.DoubleStatistics;
import org.apache.commons.statistics.descriptive.Statistic;
import org.apache.commons.statistics.interval.NormalConfidenceInterval;

/**
 * An estimate with its confidence interval.
 *
 * @param estimate NaN, as are both ends, where nothing is known
 * @param low lower end
 * @param high upper end; NaN where only this end is not known
 */
public record Interval(double estimate, double low, double high) {

    /** Nothing is known. */
    static final Interval NONE = new Interval(Double.NaN, Double.NaN, Double.NaN);

    /**
     * Student's interval for the mean of one value from each repeat. Turns of one variant differ by
     * more than their probes suggest, so a repeat is one observation, however many probes it has.
     *
     * @param values one for each repeat, two or more; with one that is not finite the result is
     *     {@link #NONE}
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
        DoubleStatistics found = DoubleStatistics.of(EnumSet.of(Statistic.MEAN, Statistic.VARIANCE), values);
        double mean = found.getAsDouble(Statistic.MEAN);
        double variance = found.getAsDouble(Statistic.VARIANCE);
        if (variance == 0) {
            return new Interval(mean, mean, mean);
        }
        var student = NormalConfidenceInterval.MEAN.fromErrorRate(mean, variance, values.length, 1 - confidence);
        return new Interval(mean, student.getLowerBound(), student.getUpperBound());
    }

    /** The same interval in another unit. */
    public Interval times(double factor) {
        return new Interval(estimate * factor, low * factor, high * factor);
    }

    /** From the mean of logarithms to the ratio. */
    Interval exponentiated() {
        return new Interval(Math.exp(estimate), Math.exp(low), Math.exp(high));
    }

    /**
     * 1 where the whole interval lies above a value, -1 where it lies below, else 0, also where it
     * is not known.
     */
    int side(double value) {
        return value < low ? 1 : value > high ? -1 : 0;
    }
}
