/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * By which factor a percentile of one window differs from that of another, with the interval that
 * follows from the two percentiles' own (Zou and Donner, "Construction of confidence limits about
 * effect measures", Statistics in Medicine 27, 2008), on a logarithmic scale.
 *
 * @param p which percentile
 * @param before in the first window
 * @param after in the second
 * @param factor after divided by before; NaN where either has no interval
 * @param low lower end of the interval of factor
 * @param high its upper end
 * @param detectable the least growth that probes as many and as alike as these would show in 80 of
 *     100 cases, as a factor above 1
 */
public record Difference(
        double p,
        Estimate before,
        Estimate after,
        double factor,
        double low,
        double high,
        double detectable) {

    private static final double POWER = 0.8;

    /**
     * Compares.
     *
     * @param confidence of the interval, and of those of the two percentiles
     */
    public static Difference of(Estimate before, Estimate after, double confidence) {
        if (!before.finite() || !after.finite() || !(before.low() > 0) || !(after.low() > 0)) {
            return new Difference(
                    before.p(), before, after, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double difference = Math.log(after.value() / before.value());
        double down =
                Math.hypot(
                        Math.log(after.value() / after.low()),
                        Math.log(before.high() / before.value()));
        double up =
                Math.hypot(
                        Math.log(after.high() / after.value()),
                        Math.log(before.value() / before.low()));
        NormalDistribution normal = NormalDistribution.of(0, 1);
        double z = normal.inverseCumulativeProbability(0.5 + confidence / 2);
        double error = (down + up) / (2 * z);
        return new Difference(
                before.p(),
                before,
                after,
                Math.exp(difference),
                Math.exp(difference - down),
                Math.exp(difference + up),
                Math.exp((z + normal.inverseCumulativeProbability(POWER)) * error));
    }

    /** Whether both windows had probes enough. */
    public boolean known() {
        return !Double.isNaN(factor);
    }

    /** Whether the interval leaves out that nothing changed. */
    public boolean clear() {
        return known() && (low > 1 || high < 1);
    }
}
