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
 * An estimate with its interval of confidence.
 *
 * @param estimate NaN, like the ends, where nothing can be said
 * @param low lower end
 * @param high upper end; NaN alone where it is not known
 */
public record Interval(double estimate, double low, double high) {

    /** Of what cannot be said. */
    static final Interval NONE = new Interval(Double.NaN, Double.NaN, Double.NaN);

    /**
     * Student's interval for the mean of one value from each repeat. Turns of one kind differ by
     * more than their probes suggest, so a repeat is one observation, however many probes it holds.
     *
     * @param values one of each repeat, two at least; {@link #NONE} comes of one that is not finite
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

    /** In another unit. */
    public Interval times(double factor) {
        return new Interval(estimate * factor, low * factor, high * factor);
    }

    /** The same for the ratio whose logarithms were averaged. */
    Interval exponentiated() {
        return new Interval(Math.exp(estimate), Math.exp(low), Math.exp(high));
    }

    /**
     * 1 where all of it lies above a value, -1 where all lies below, 0 where it holds the value.
     */
    int side(double value) {
        return value < low ? 1 : value > high ? -1 : 0;
    }
}
