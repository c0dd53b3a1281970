/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * By which factor a percentile of one window differs from that of another, with the interval that
 * follows from the two percentiles' own (Zou and Donner, "Construction of confidence limits about
 * effect measures", Statistics in Medicine 27, 2008), on a logarithmic scale.
 *
 * @param p which percentile
 * @param before in the first window; below a microsecond it counts as one, as does the other
 * @param after in the second
 * @param factor after divided by before; NaN where either has no interval
 * @param low lower end of the interval of factor
 * @param high its upper end
 * @param detectable the least growth that probes as many and as alike as these would show in 80 of
 *     100 cases, as a factor above 1
 */
public record Difference(
        double p, Estimate before, Estimate after, double factor, double low, double high, double detectable) {

    private static final double POWER = 0.8;

    /**
     * Compares.
     *
     * @param confidence of the interval, and of those of the two percentiles
     */
    public static Difference of(Estimate before, Estimate after, double confidence) {
        if (!before.finite() || !after.finite()) {
            return new Difference(before.p(), before, after, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double difference = log(after.value()) - log(before.value());
        double down = Math.hypot(log(after.value()) - log(after.low()), log(before.high()) - log(before.value()));
        double up = Math.hypot(log(after.high()) - log(after.value()), log(before.value()) - log(before.low()));
        double z = Reach.normal(confidence);
        double error = (down + up) / (2 * z);
        return new Difference(
                before.p(),
                before,
                after,
                Math.exp(difference),
                Math.exp(difference - down),
                Math.exp(difference + up),
                Math.exp((z + NormalDistribution.of(0, 1).inverseCumulativeProbability(POWER)) * error));
    }

    /**
     * A time below a microsecond counts as one: by which factor another time is longer would say
     * nothing.
     */
    private static double log(double seconds) {
        return Math.log(Math.max(Estimate.LEAST_SECONDS, seconds));
    }

    /**
     * The chance of a factor as far from 1 where the percentile is the same. Student's t of the
     * factor's logarithm, with the error that the interval's end on the side of 1 stands for; an
     * interval that ends at 1 has the chance that it was made for.
     *
     * @param confidence of the interval
     * @param freedom degrees of the variances that it rests on, 1 or more; of the two windows' the
     *     fewer
     * @return 0 to 1; NaN where the factor is not known
     */
    public double chance(double confidence, int freedom) {
        if (!known()) {
            return Double.NaN;
        }
        if (factor == 1) {
            return 1;
        }
        double end = Math.log(factor > 1 ? factor / low : high / factor);
        double error = end / Reach.student(freedom, confidence);
        return 2 * TDistribution.of(freedom).survivalProbability(Math.abs(Math.log(factor)) / error);
    }

    /** Whether both windows had probes enough. */
    public boolean known() {
        return !Double.isNaN(factor);
    }

    /** Whether the interval excludes that nothing changed. */
    public boolean clear() {
        return known() && (low > 1 || high < 1);
    }
}
