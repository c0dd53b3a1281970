/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.Arrays;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * The effective sample size of observations that come in blocks of time: how many independent ones
 * would tell a share as well, and the interval of the share. The method and its sources: {@link
 * Percentiles}.
 */
final class EffectiveSampleSize {

    private static final int BATCHES = 24;

    private EffectiveSampleSize() {}

    /**
     * The effective number of observations.
     *
     * @param excess by block, in the order of time: how many more were counted than the share of
     *     all lets expect; changed here
     * @param strata by block
     * @param count of all observations; more than these they cannot be worth
     * @param share of those counted among all
     * @param confidence of the interval it is for
     */
    static double effective(double[] excess, int[] strata, double count, double share, double confidence) {
        double left = withoutStrata(excess, strata);
        double[] batches = batches(excess);
        int freedom = batches.length - 1;
        if (freedom < 1 || left < 1) {
            return 0;
        }
        double variance =
                StatUtils.sumSq(batches) / (count * count) * batches.length / freedom * (excess.length - 1) / left;
        double n = Math.min(count, share * (1 - share) / variance);
        double t = Reach.student(freedom, confidence);
        double z = Reach.normal(confidence);
        return n * (z / t) * (z / t);
    }

    /** Degrees of freedom of the variance of that many blocks; below 1 there is none. */
    static int freedom(int blocks) {
        return blocks / batch(blocks) - 1;
    }

    /** How many neighbouring blocks are a batch, if there are so many blocks. */
    private static int batch(int blocks) {
        return Math.max(1, blocks / BATCHES);
    }

    /** Lower end of the interval of a share that n observations gave (Clopper and Pearson 1934). */
    static double low(double share, double n, double confidence) {
        return share <= 0
                ? 0
                : BetaDistribution.of(n * share, n * (1 - share) + 1)
                        .inverseCumulativeProbability((1 - confidence) / 2);
    }

    /** Upper end of that interval. */
    static double high(double share, double n, double confidence) {
        return share >= 1
                ? 1
                : BetaDistribution.of(n * share + 1, n * (1 - share))
                        .inverseCumulativeProbability((1 + confidence) / 2);
    }

    /** Takes each stratum's mean away; returns how many degrees of freedom are left. */
    private static double withoutStrata(double[] excess, int[] strata) {
        double[] sums = new double[1 + Arrays.stream(strata).max().orElse(0)];
        int[] sizes = new int[sums.length];
        for (int i = 0; i < excess.length; i++) {
            sums[strata[i]] += excess[i];
            sizes[strata[i]]++;
        }
        int means = 0;
        for (int size : sizes) {
            means += size > 1 ? 1 : 0;
        }
        for (int i = 0; i < excess.length; i++) {
            if (sizes[strata[i]] > 1) {
                excess[i] -= sums[strata[i]] / sizes[strata[i]];
            }
        }
        return excess.length - Math.max(1, means);
    }

    /** Adds neighbours up to some two dozen batches, what is left over to the last. */
    private static double[] batches(double[] values) {
        int size = batch(values.length);
        double[] sums = new double[values.length / size];
        for (int i = 0; i < values.length; i++) {
            sums[Math.min(i / size, sums.length - 1)] += values[i];
        }
        return sums;
    }
}
