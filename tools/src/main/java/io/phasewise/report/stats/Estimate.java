/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

/**
 * A percentile with its interval.
 *
 * @param p which, 0 to 1
 * @param value in seconds; infinite where so many probes were lost
 * @param low lower end of the interval, seconds
 * @param high its upper end; infinite where the lost probes reach into it
 * @param effective how many independent probes would tell as much as these
 * @param needed how many independent probes this percentile needs for an interval that ends above
 */
public record Estimate(double p, double value, double low, double high, double effective, double needed) {

    /** The confidence of every interval of a report. */
    public static final double CONFIDENCE = 0.95;

    /** A microsecond: less than any clock of this tells. */
    public static final double LEAST_SECONDS = 1e-6;

    /** Whether there were enough probes for an interval. */
    public boolean enough() {
        return effective >= needed && !Double.isNaN(value);
    }

    /** Whether the percentile and its interval are times, and not among the lost probes. */
    public boolean finite() {
        return enough() && Double.isFinite(high);
    }
}
