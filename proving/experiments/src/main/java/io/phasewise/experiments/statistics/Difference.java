/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * How one latency of a treatment's probes differs from the same of the baseline's.
 *
 * @param distance the two-sample Kolmogorov-Smirnov statistic, 0 to 1
 * @param chance of a distance that great if block for block both were drawn from one hat
 * @param median treatment over baseline, the geometric mean of the repeats' ratios
 * @param p99 likewise; NaN where a turn has too few probes for it, or a hundredth of them or more
 *     have no latency
 * @param mean treatment less baseline, milliseconds; NaN where more than {@link #MOST_MISSING} of
 *     either side have no latency, as it would be the mean of survivors
 * @param missing share of probes without that latency (they did not come back, or were not
 *     acknowledged), treatment less baseline
 * @param missingChance of shares that far apart, found as the other chance is
 */
public record Difference(
        double distance,
        double chance,
        Interval median,
        Interval p99,
        Interval mean,
        Interval missing,
        double missingChance) {

    /** A chance above this is not called a difference. */
    public static final double LEVEL = 0.01;

    /** How often a difference may be claimed where there is none. */
    public static final double ERROR = 0.05;

    /** Median, p99, mean, missing: any of them may claim it, so each has a part of the error. */
    public static final int LOOKS = 4;

    /** Share of probes without a latency from which on a mean says little. */
    public static final double MOST_MISSING = 0.01;

    /**
     * What may be said: the test finds a difference, and an interval of its size, which knows how
     * repeats differ among themselves, does not contain "no change". What the tail or the mean does
     * is told where it is not what the median does already. That more are missing is tested by
     * itself: a few are too small a part of all latencies to show in their distance.
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
