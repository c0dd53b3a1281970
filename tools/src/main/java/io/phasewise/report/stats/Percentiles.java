/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Percentiles of latencies, with intervals that allow for probes of one time being alike.
 *
 * <p>How many of n independent probes lie below the true percentile is binomial, which gives an
 * interval between two order statistics whatever the distribution (David and Nagaraja, "Order
 * Statistics", 7.1), through the beta distribution (Clopper and Pearson 1934). Probes of one time
 * are not independent: the variance of the share below the percentile is that of a ratio of totals
 * of clusters (Woodruff 1952), which are some two dozen batches of neighbouring blocks, so long
 * that one tells little about the next (batch means, Schmeiser 1982); where strata are given, what
 * differs between them is taken away first. n is replaced by the number of independent probes that
 * would have the same variance, and by less for having few batches to tell it from (Korn and
 * Graubard 1998).
 */
public final class Percentiles {

    private final List<Histogram> blocks;
    private final int[] strata;
    private final Histogram total;

    private Percentiles(List<Histogram> blocks, int[] strata) {
        this.blocks = List.copyOf(blocks);
        this.strata = strata.clone();
        this.total = Histogram.sum(this.blocks);
    }

    /**
     * Of blocks without strata.
     *
     * @param blocks in the order of time
     */
    public static Percentiles of(List<Histogram> blocks) {
        return new Percentiles(blocks, new int[blocks.size()]);
    }

    /**
     * Of blocks that belong to strata.
     *
     * @param blocks in the order of time
     * @param strata one for each block, any numbers; what differs between two strata (hours of the
     *     day, say) is no uncertainty. A stratum of a single block is counted as if it were none
     */
    public static Percentiles of(List<Histogram> blocks, int[] strata) {
        return new Percentiles(blocks, strata);
    }

    /** All blocks together. */
    public Histogram total() {
        return total;
    }

    /** Degrees of freedom of the variance that intervals rest on; below 1 there are none. */
    public int freedom() {
        return EffectiveSampleSize.freedom(blocks.size());
    }

    /**
     * One percentile.
     *
     * @param p between 0 and 1
     * @param confidence of the interval, between 0 and 1
     */
    public Estimate at(double p, double confidence) {
        double alpha = 1 - confidence;
        double value = total.quantile(p);
        double needed = Math.log(alpha / 2) / Math.log(p);
        double n = effective(p, confidence);
        if (!(n >= needed)) {
            return new Estimate(p, value, Double.NaN, Double.NaN, n, needed);
        }
        double low = EffectiveSampleSize.low(p, n, confidence);
        double high = EffectiveSampleSize.high(p, n, confidence);
        return new Estimate(p, value, total.quantile(low), total.quantile(high), n, needed);
    }

    /**
     * How many independent probes these are worth in the tail, at the percentile of it for which
     * they are worth least: bad probes are no less alike than slow ones.
     *
     * @return 0 where that cannot be told
     */
    public double worth() {
        return DoubleStream.of(0.99, 0.999)
                .map(p -> effective(p, Estimate.CONFIDENCE))
                .filter(n -> n > 0)
                .min()
                .orElse(0);
    }

    /**
     * How many independent probes would tell a percentile as well as these do.
     *
     * @param confidence of the interval it is for: few blocks make the variance itself uncertain,
     *     and the more so further out
     */
    double effective(double p, double confidence) {
        double count = total.count();
        if (!(count > 0)) {
            return 0;
        }
        double value = total.quantile(p);
        double below = total.atMost(value) / count;
        double[] excess = new double[blocks.size()];
        for (int i = 0; i < excess.length; i++) {
            Histogram block = blocks.get(i);
            excess[i] = block.atMost(value) - below * block.count();
        }
        return EffectiveSampleSize.effective(excess, strata, count, below, confidence);
    }
}
