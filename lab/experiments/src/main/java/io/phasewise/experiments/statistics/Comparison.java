/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import io.phasewise.experiments.measure.Phase;
import java.util.Locale;
import java.util.Map;

/**
 * How a treatment differs from the baseline.
 *
 * @param baseline its name
 * @param treatment its name
 * @param distance the two-sample Kolmogorov-Smirnov statistic of end-to-end latencies, 0 to 1
 * @param chance of a distance that great if block for block both were drawn from one hat
 * @param median treatment over baseline, the geometric mean of the repeats' ratios
 * @param p99 likewise; NaN where a hundredth of a turn's probes or more did not come back
 * @param meanDifference treatment less baseline, milliseconds, of the probes that came back
 * @param phaseDifference of each phase's mean, milliseconds; these add up to the mean's
 * @param agreeing repeats whose medians differ the same way as all of them do
 * @param repeats how many there were
 * @param stalled share of the probes on whose way the canary itself stood still, of the side with
 *     more of them
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
        int repeats,
        double stalled) {

    /** A chance above this is not called a difference. */
    public static final double LEVEL = 0.01;

    /** How often a difference may be claimed where there is none. */
    public static final double ERROR = 0.05;

    /** Median, p99 and mean: any of them may claim it, so each has a third of the error. */
    public static final int LOOKS = 3;

    /** With more such probes than this, what is measured is the canary and not Kafka. */
    public static final double MOST_STALLED = 0.05;

    /**
     * What may be said: the test finds a difference, and an interval of its size, which knows how
     * repeats differ among themselves, does not contain "no change".
     */
    public String verdict() {
        if (stalled > MOST_STALLED) {
            return String.format(
                    Locale.ROOT,
                    "not judged: the canary itself stood still for %.0f %% of the probes",
                    stalled * 100);
        }
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
        return "no difference shown that repeats agree on";
    }

    /** Whether a difference is claimed. */
    public boolean differs() {
        return stalled <= MOST_STALLED
                && chance <= LEVEL
                && (median.excludes(1) || p99.excludes(1) || meanDifference.excludes(0));
    }
}
