/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * How one latency of the treatment's probes differs from the same latency of the baseline's.
 *
 * @param distance the two-sample Kolmogorov-Smirnov statistic, 0 to 1
 * @param chance of a distance at least as great if the blocks of both sides came from the same
 *     distribution
 * @param median ratio of medians, treatment over baseline: the geometric mean over the repeats
 * @param p99 the same for p99; NaN where a turn has too few probes for it, or a hundredth of
 *     them or more have no latency
 * @param mean treatment minus baseline, milliseconds; NaN where more than {@link #MOST_MISSING}
 *     of either side have no latency, as it would be the mean of the survivors only
 * @param missing share of probes without that latency (they did not come back, or were not
 *     acknowledged), treatment minus baseline
 * @param missingChance of shares at least as far apart, by the same test
 */
public record Difference(
        double distance,
        double chance,
        Interval median,
        Interval p99,
        Interval mean,
        Interval missing,
        double missingChance) {

    /** With a chance above this no difference is claimed. */
    public static final double LEVEL = 0.01;

    /** The probability with which a difference may be claimed where there is none. */
    public static final double ERROR = 0.05;

    /** Median, p99, mean, missing: each may claim a difference, so each has a part of the error. */
    public static final int LOOKS = 4;

    /** With a greater share of probes without a latency the mean says little. */
    public static final double MOST_MISSING = 0.01;

    /**
     * The verdict. A difference is claimed when the test finds one, and when the interval of its
     * size does not contain "no change"; that interval reflects how repeats differ from each other.
     * Tail and mean are named only when they do not go the way of the median. More missing probes
     * are tested apart: a few are too small a part of all latencies to show in their distance.
     */
    public String verdict() {
        List<String> claims = claims();
        if (!claims.isEmpty()) {
            return String.join(", ", claims);
        }
        return chance > LEVEL ? "no difference shown" : "no difference shown that repeats agree on";
    }

    private List<String> claims() {
        boolean tested = chance <= LEVEL;
        int middle = tested ? median.side(1) : 0;
        int tail = tested ? p99.side(1) : 0;
        int whole = tested ? mean.side(0) : 0;
        int gone = missingChance <= LEVEL ? missing.side(0) : 0;
        List<String> claims = new ArrayList<>();
        if (middle != 0) {
            claims.add(word(middle));
        }
        if (tail != 0 && tail != middle) {
            claims.add(word(tail) + " at p99");
        }
        if (whole != 0 && whole != middle && whole != tail) {
            claims.add(word(whole) + " in the mean");
        }
        if (gone != 0) {
            claims.add(gone > 0 ? "more missing" : "fewer missing");
        }
        return claims;
    }

    private static String word(int side) {
        return side > 0 ? "slower" : "faster";
    }
}
