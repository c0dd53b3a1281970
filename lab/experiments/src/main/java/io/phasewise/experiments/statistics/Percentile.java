/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import java.util.List;

/**
 * A percentile of a variant's latencies with its 95 % interval.
 *
 * @param share 0 to 1
 * @param milliseconds the value and its interval
 */
public record Percentile(double share, Interval milliseconds) {
    /** Those that are looked for. */
    public static final List<Double> SHARES = List.of(0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999);

    private static final double BEYOND = 0.025;

    /**
     * The least number of probes of which the slowest lies beyond the percentile in 975 of 1,000
     * cases; with fewer an interval has no upper end, and the percentile is not given.
     */
    public static long needed(double share) {
        return (long) Math.ceil(Math.log(BEYOND) / Math.log(share));
    }
}
