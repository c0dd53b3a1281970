/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import org.apache.commons.math3.stat.StatUtils;

/**
 * A share of probes, with an interval that allows for probes of one time being alike ({@link
 * Percentiles} says how).
 *
 * @param value 0 to 1; NaN where there were no probes
 * @param low lower end of the interval
 * @param high its upper end
 */
public record Share(double value, double low, double high) {

    /**
     * Of blocks in the order of time.
     *
     * @param counted those that belong to it, by block
     * @param all probes, by block
     * @param confidence between 0 and 1
     * @param worth how many independent ones all are worth by something else that is known of them,
     *     such as their latencies ({@link Percentiles#worth}); it counts where none or all belong
     *     to it, for then nothing tells how unevenly they come
     */
    public static Share of(double[] counted, double[] all, double confidence, double worth) {
        double count = StatUtils.sum(all);
        if (!(count > 0)) {
            return new Share(Double.NaN, Double.NaN, Double.NaN);
        }
        double value = Math.min(1, StatUtils.sum(counted) / count);
        double[] excess = new double[all.length];
        for (int i = 0; i < all.length; i++) {
            excess[i] = counted[i] - value * all[i];
        }
        double n = value <= 0 || value >= 1
                ? Math.min(count, worth)
                : EffectiveSampleSize.effective(excess, new int[all.length], count, value, confidence);
        return n > 0
                ? new Share(
                        value,
                        EffectiveSampleSize.low(value, n, confidence),
                        EffectiveSampleSize.high(value, n, confidence))
                : new Share(value, 0, 1);
    }
}
