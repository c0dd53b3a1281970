/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Probes whose true distribution is known, counted as the canary counts them: log-normal, with
 * hours that are alike.
 */
final class Synthetic {

    /** The canary's native histograms: 64 buckets for each doubling. */
    private static final int BUCKETS_A_DOUBLING = 64;

    /** Bucket indices stay well within this: 2^-32 to 2^32 seconds. */
    private static final int MOST = 32 * BUCKETS_A_DOUBLING;

    private final Random random;
    private final double median;
    private final double spread;
    private final double hourSpread;
    private final double correlation;
    private final double daily;

    /**
     * @param median of all probes, in seconds
     * @param spread standard deviation of the logarithm within an hour
     * @param hourSpread standard deviation of the hours' own shift of the logarithm
     * @param correlation of that shift from an hour to the next
     * @param daily how far the logarithm swings with the hour of the day
     */
    Synthetic(long seed, double median, double spread, double hourSpread, double correlation, double daily) {
        this.random = new Random(seed);
        this.median = median;
        this.spread = spread;
        this.hourSpread = hourSpread;
        this.correlation = correlation;
        this.daily = daily;
    }

    /** Independent probes around 3 ms, each hour's like any other's. */
    static List<Histogram> independent(int hours, int probes) {
        return new Synthetic(1, 0.003, 0.5, 0, 0, 0).hours(hours, probes);
    }

    /** As many hours as wanted, with so many probes each; the first begins at midnight. */
    List<Histogram> hours(int hours, int probes) {
        List<Histogram> blocks = new ArrayList<>();
        double shift = hourSpread * random.nextGaussian();
        for (int hour = 0; hour < hours; hour++) {
            double centre = Math.log(median) + shift + daily * Math.sin(2 * Math.PI * hour / 24);
            double[] seconds = new double[probes];
            for (int i = 0; i < probes; i++) {
                seconds[i] = Math.exp(centre + spread * random.nextGaussian());
            }
            blocks.add(counted(seconds));
            shift = correlation * shift + Math.sqrt(1 - correlation * correlation) * hourSpread * random.nextGaussian();
        }
        return blocks;
    }

    /** The true percentile of a process without a daily swing, in the long run. */
    double truth(double standardNormal) {
        return median * Math.exp(standardNormal * Math.hypot(spread, hourSpread));
    }

    /** A native histogram of these latencies. */
    static Histogram counted(double... seconds) {
        int[] counts = new int[2 * MOST];
        double sum = 0;
        for (double one : seconds) {
            counts[MOST + (int) Math.ceil(Math.log(one) * (BUCKETS_A_DOUBLING / Math.log(2)))]++;
            sum += one;
        }
        List<Histogram.Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                buckets.add(new Histogram.Bucket(edge(i - MOST - 1), edge(i - MOST), counts[i]));
            }
        }
        return Histogram.of(buckets, sum);
    }

    /** Of so many runs, the share for which something holds. */
    static double share(int runs, IntPredicate holds) {
        return IntStream.range(0, runs).filter(holds).count() / (double) runs;
    }

    /** Which hour of the day each of so many hours is. */
    static int[] hoursOfTheDay(int hours) {
        return IntStream.range(0, hours).map(hour -> hour % 24).toArray();
    }

    private static double edge(int index) {
        return Math.pow(2, index / (double) BUCKETS_A_DOUBLING);
    }
}
