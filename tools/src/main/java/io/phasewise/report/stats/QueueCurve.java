/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.analysis.solvers.BrentSolver;
import org.apache.commons.math3.stat.regression.SimpleRegression;

/**
 * How a time grows with utilisation: base + slope * shape, where the shape is Sakasegawa's
 * approximation of the wait for one of c servers, rho^(sqrt(2 (c + 1)) - 1) / (1 - rho) (Annals of
 * the Institute of Statistical Mathematics 29, 1977), taken as 1 at half busy; for one server that
 * is Kingman's (1961). Variability and service time are in the slope. By least squares; points of
 * one day are alike, so the intervals come from leaving out one day after the other (the jackknife:
 * Miller, Biometrika 61, 1974).
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
 * @param servers of the queue
 */
public record QueueCurve(
        double base,
        double slope,
        double slopeLow,
        double slopeHigh,
        double explained,
        double least,
        double most,
        int points,
        int days,
        int servers) {

    /** Further above the highest utilisation seen the curve says nothing. */
    private static final double REACH = 0.15;

    private static final int LEAST_DAYS = 5;
    private static final double LEAST_RANGE = 0.1;
    private static final double LEAST_EXPLAINED = 0.25;
    private static final double FULL = 1 - 1e-9;
    private static final double ACCURACY = 1e-12;
    private static final int EVALUATIONS = 1000;

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
    public record Limit(double value, double low, double high) {

        /** Where there is none, or none that the data tell. */
        public static final Limit UNKNOWN = new Limit(Double.NaN, Double.NaN, Double.NaN);
    }

    /**
     * Fits; points outside of [0, 1) or without a time are left out.
     *
     * @param servers 1 or more
     * @param confidence of the slope's interval
     */
    public static QueueCurve of(List<Point> all, int servers, double confidence) {
        List<Point> points = valid(all);
        SimpleRegression line = fit(points, servers, Long.MIN_VALUE);
        double half = half(points, servers, confidence, SimpleRegression::getSlope);
        double slope = line.getSlope();
        return new QueueCurve(
                line.getIntercept(),
                slope,
                slope - half,
                slope + half,
                line.getRSquare(),
                points.stream().mapToDouble(Point::utilisation).min().orElse(Double.NaN),
                points.stream().mapToDouble(Point::utilisation).max().orElse(Double.NaN),
                points.size(),
                days(points).size(),
                servers);
    }

    /** Why the data do not support the curve; empty where they do. */
    public String against() {
        if (days < LEAST_DAYS) {
            return "it takes " + LEAST_DAYS + " days, and there are " + days;
        }
        if (!(most - least >= LEAST_RANGE)) {
            return "utilisation stayed between %.0f and %.0f %%, too narrow a range to see a curve"
                    .formatted(100 * least, 100 * most);
        }
        if (!(slopeLow > 0)) {
            return "latency does not clearly grow with utilisation";
        }
        if (!(explained >= LEAST_EXPLAINED)) {
            return "the curve explains %.0f %% of what is seen; something else decides".formatted(100 * explained);
        }
        return "";
    }

    /** The time that the curve expects. */
    public double at(double utilisation) {
        return base + slope * shape(utilisation, servers);
    }

    /** The highest utilisation of which the curve says anything. */
    public double farthest() {
        return Math.min(1, most + REACH);
    }

    /**
     * How many times as long one waits as at half busy.
     *
     * @param utilisation 0 to below 1
     * @param servers 1 or more
     */
    public static double shape(double utilisation, int servers) {
        double power = Math.sqrt(2.0 * (servers + 1)) - 1;
        return Math.pow(2 * utilisation, power) / (2 * (1 - utilisation));
    }

    /**
     * The utilisation at which the time reaches a limit.
     *
     * @param servers 1 or more
     * @param seconds above the base
     * @return NaN all over where the base is above the limit already
     */
    public static Limit limit(List<Point> all, int servers, double seconds, double confidence) {
        List<Point> points = valid(all);
        double ratio = ratio(fit(points, servers, Long.MIN_VALUE), seconds);
        double half = half(points, servers, confidence, line -> Math.log(ratio(line, seconds)));
        if (!(ratio > 0) || Double.isNaN(half)) {
            return Limit.UNKNOWN;
        }
        return new Limit(
                busy(ratio, servers), busy(ratio * Math.exp(-half), servers), busy(ratio * Math.exp(half), servers));
    }

    /** The utilisation at which the shape has a value. */
    private static double busy(double ratio, int servers) {
        if (!(shape(FULL, servers) > ratio)) {
            return 1;
        }
        return new BrentSolver(ACCURACY).solve(EVALUATIONS, rho -> shape(rho, servers) - ratio, 0, FULL);
    }

    private static double ratio(SimpleRegression line, double seconds) {
        return (seconds - line.getIntercept()) / line.getSlope();
    }

    private static SimpleRegression fit(List<Point> points, int servers, long without) {
        SimpleRegression line = new SimpleRegression();
        for (Point point : points) {
            if (point.day() != without) {
                line.addData(shape(point.utilisation(), servers), point.seconds());
            }
        }
        return line;
    }

    /** Half of the interval of what a fit tells, from the fits with each day left out. */
    private static double half(
            List<Point> points, int servers, double confidence, ToDoubleFunction<SimpleRegression> told) {
        double[] without = days(points).stream()
                .mapToDouble(day -> told.applyAsDouble(fit(points, servers, day)))
                .toArray();
        int n = without.length;
        if (n < 2) {
            return Double.NaN;
        }
        double mean = Arrays.stream(without).average().orElseThrow();
        double squares =
                Arrays.stream(without).map(v -> (v - mean) * (v - mean)).sum();
        double error = Math.sqrt(squares * (n - 1) / n);
        return error * Reach.student(n - 1, confidence);
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
