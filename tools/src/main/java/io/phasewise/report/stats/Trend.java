/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * By which factor a quantity grows from day to day: the logarithms of whole weeks' days, regressed
 * on the day with the weekday as a factor, by least squares, with the interval of the slope
 * (Student). Without the weekday a quiet weekend at one end would be a trend.
 *
 * @param factor growth in a day: 1.02 is 2 % more each day
 * @param low lower end of the interval of factor
 * @param high its upper end
 * @param points how many days there were to take whole weeks of
 */
public record Trend(double factor, double low, double high, int points) {

    /** With fewer whole weeks there is no trend. */
    public static final int LEAST_WEEKS = 2;

    private static final int WEEK = 7;

    /** Of the days of whole weeks, so many in all may be missing. */
    private static final int MISSING = 2;

    /**
     * Fits to the last whole weeks.
     *
     * @param days values by the number of the day; those that are not positive or not finite are
     *     left out
     * @param confidence of the interval, between 0 and 1
     * @return NaN all over where there are no {@link #LEAST_WEEKS} whole weeks
     */
    public static Trend of(SortedMap<Long, Double> days, double confidence) {
        TreeMap<Long, Double> valid = new TreeMap<>();
        days.forEach((day, value) -> {
            if (value > 0 && Double.isFinite(value)) {
                valid.put(day, value);
            }
        });
        int points = valid.size();
        Trend unknown = new Trend(Double.NaN, Double.NaN, Double.NaN, points);
        if (valid.isEmpty()) {
            return unknown;
        }
        long last = valid.lastKey();
        long weeks = (last - valid.firstKey() + 1) / WEEK;
        SortedMap<Long, Double> whole = valid.tailMap(last - WEEK * weeks, false);
        long weekdays =
                whole.keySet().stream().map(day -> day % WEEK).distinct().count();
        if (weeks < LEAST_WEEKS || whole.size() < WEEK * weeks - MISSING || weekdays < WEEK) {
            return unknown;
        }
        return fitted(whole, points, confidence);
    }

    private static Trend fitted(SortedMap<Long, Double> days, int points, double confidence) {
        double[] values = new double[days.size()];
        double[][] of = new double[days.size()][WEEK];
        int i = 0;
        long first = days.firstKey();
        for (Map.Entry<Long, Double> each : days.entrySet()) {
            values[i] = Math.log(each.getValue());
            of[i][0] = each.getKey() - first;
            // The regression's intercept stands for the weekday of the first day.
            int weekday = (int) ((each.getKey() - first) % WEEK);
            if (weekday > 0) {
                of[i][weekday] = 1;
            }
            i++;
        }
        OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
        regression.newSampleData(values, of);
        double slope = regression.estimateRegressionParameters()[1];
        double error = regression.estimateRegressionParametersStandardErrors()[1];
        int freedom = values.length - WEEK - 1;
        double half = error * Reach.student(freedom, confidence);
        return new Trend(Math.exp(slope), Math.exp(slope - half), Math.exp(slope + half), points);
    }

    /** Whether it was possible to fit a line. */
    public boolean known() {
        return !Double.isNaN(factor);
    }

    /** Whether the interval excludes that nothing grows. */
    public boolean clear() {
        return known() && (low > 1 || high < 1);
    }
}
