/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How a time grows with utilisation: base + slope * busy / idle, which is Kingman's approximation
 * of the wait for one server (1961), its variability and service time in the slope; by least
 * squares. Points of one day are alike, so the intervals come from leaving out one day after the
 * other (the jackknife: Miller, Biometrika 61, 1974).
 *
 * @param base seconds at rest
 * @param slope seconds at half busy, beyond the base
 * @param slopeLow lower end of the slope's interval
 * @param slopeHigh its upper end
 * @param explained share of the variance that the curve explains
 * @param least the lowest utilisation seen, 0 to 1
 * @param most the highest
 * @param points how many
 * @param days of how many days
 */
public record BusyIdle(
        double base,
        double slope,
        double slopeLow,
        double slopeHigh,
        double explained,
        double least,
        double most,
        int points,
        int days) {

    private static final int LEAST_DAYS = 5;
    private static final double LEAST_RANGE = 0.1;
    private static final double LEAST_EXPLAINED = 0.25;

    /**
     * One observation.
     *
     * @param utilisation 0 to below 1
     * @param seconds a time at that utilisation
     * @param day to which it belongs
     */
    public record Point(double utilisation, double seconds, long day) {}

    /**
     * A utilisation with its interval.
     *
     * @param value 0 to 1
     * @param high 1 where the interval has no upper end
     */
    public record Limit(double value, double low, double high) {}

    /** Fits; points outside of [0, 1) or without a time are left out. */
    public static BusyIdle of(List<Point> all, double confidence) {
        List<Point> points = valid(all);
        SimpleRegression line = fit(points, Long.MIN_VALUE);
        List<Double> slopes = new ArrayList<>();
        TreeSet<Long> days = days(points);
        for (long day : days) {
            slopes.add(fit(points, day).getSlope());
        }
        double half = half(slopes, confidence);
        double slope = line.getSlope();
        return new BusyIdle(
                line.getIntercept(),
                slope,
                slope - half,
                slope + half,
                line.getRSquare(),
                points.stream().mapToDouble(Point::utilisation).min().orElse(Double.NaN),
                points.stream().mapToDouble(Point::utilisation).max().orElse(Double.NaN),
                points.size(),
                days.size());
    }

    /** Why the data do not support the curve; empty where they do. */
    public String against() {
        if (days < LEAST_DAYS) {
            return "it takes " + LEAST_DAYS + " days, and there are " + days;
        }
        if (!(most - least >= LEAST_RANGE)) {
            return String.format(
                    Locale.ROOT,
                    "utilisation stayed between %.0f and %.0f %%, too narrow a range to see a"
                            + " curve",
                    100 * least,
                    100 * most);
        }
        if (!(slopeLow > 0)) {
            return "latency does not clearly grow with utilisation";
        }
        if (!(explained >= LEAST_EXPLAINED)) {
            return String.format(
                    Locale.ROOT,
                    "the curve explains %.0f %% of what is seen; something else decides",
                    100 * explained);
        }
        return "";
    }

    /** The time that the curve expects. */
    public double at(double utilisation) {
        return base + slope * utilisation / (1 - utilisation);
    }

    /**
     * The utilisation at which the time reaches a limit.
     *
     * @param seconds above the base
     * @return NaN all over where the base is above the limit already
     */
    public static Limit limit(List<Point> all, double seconds, double confidence) {
        List<Point> points = valid(all);
        double ratio = ratio(fit(points, Long.MIN_VALUE), seconds);
        List<Double> logarithms = new ArrayList<>();
        for (long day : days(points)) {
            logarithms.add(Math.log(ratio(fit(points, day), seconds)));
        }
        double half = half(logarithms, confidence);
        if (!(ratio > 0) || Double.isNaN(half)) {
            return new Limit(Double.NaN, Double.NaN, Double.NaN);
        }
        return new Limit(busy(ratio), busy(ratio * Math.exp(-half)), busy(ratio * Math.exp(half)));
    }

    private static double busy(double ratio) {
        return Double.isInfinite(ratio) ? 1 : ratio / (1 + ratio);
    }

    private static double ratio(SimpleRegression line, double seconds) {
        return (seconds - line.getIntercept()) / line.getSlope();
    }

    private static SimpleRegression fit(List<Point> points, long without) {
        SimpleRegression line = new SimpleRegression();
        for (Point point : points) {
            if (point.day() != without) {
                line.addData(point.utilisation() / (1 - point.utilisation()), point.seconds());
            }
        }
        return line;
    }

    /** Half of the interval, from what came out with each day left out. */
    private static double half(List<Double> without, double confidence) {
        int n = without.size();
        if (n < 2) {
            return Double.NaN;
        }
        double mean = without.stream().mapToDouble(v -> v).average().orElseThrow();
        double squares = without.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
        double error = Math.sqrt(squares * (n - 1) / n);
        return error * TDistribution.of(n - 1).inverseCumulativeProbability(0.5 + confidence / 2);
    }

    private static TreeSet<Long> days(List<Point> points) {
        TreeSet<Long> days = new TreeSet<>();
        points.forEach(point -> days.add(point.day()));
        return days;
    }

    private static List<Point> valid(List<Point> all) {
        return all.stream()
                .filter(point -> point.utilisation() >= 0 && point.utilisation() < 1)
                .filter(point -> Double.isFinite(point.seconds()))
                .toList();
    }
}
