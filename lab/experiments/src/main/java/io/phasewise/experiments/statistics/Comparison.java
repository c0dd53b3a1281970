/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.experiments.measure.Phase;
import java.util.Map;

/**
 * How a treatment differs from the baseline.
 *
 * @param baseline its name
 * @param treatment its name
 * @param distance the two-sample Kolmogorov-Smirnov statistic of end-to-end latencies, 0 to 1
 * @param chance of a distance that great if block for block both were drawn from one hat
 * @param median treatment over baseline
 * @param p99 treatment over baseline
 * @param meanDifference treatment less baseline, milliseconds
 * @param phaseDifference of each phase's mean, milliseconds; these add up to the mean's
 * @param agreeing repeats whose median differs the same way as that of all
 * @param repeats how many there were
 */
public record Comparison(
        String baseline,
        String treatment,
        double distance,
        double chance,
        Interval median,
        Interval p99,
        Interval meanDifference,
        Map<Phase, Interval> phaseDifference,
        int agreeing,
        int repeats) {

    /** A chance above this is not called a difference. */
    public static final double LEVEL = 0.01;

    /**
     * What may be said: the test finds a difference and the interval of its size, which knows how
     * repeats differ among themselves, leaves out "none".
     */
    public String verdict() {
        if (chance > LEVEL) {
            return "no difference shown";
        }
        if (median.excludes(1)) {
            return median.estimate() > 1 ? "slower" : "faster";
        }
        if (p99.excludes(1)) {
            return p99.estimate() > 1 ? "slower at p99" : "faster at p99";
        }
        if (meanDifference.excludes(0)) {
            return meanDifference.estimate() > 0 ? "slower in the mean" : "faster in the mean";
        }
        return "another shape, its size not certain";
    }

    /** Whether a difference is claimed. */
    public boolean differs() {
        return chance <= LEVEL
                && (median.excludes(1) || p99.excludes(1) || meanDifference.excludes(0));
    }
}
