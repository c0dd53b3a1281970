/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.status.ClusterStatus;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Percentiles over the last minute, for a reader without Prometheus at hand; the exported
 * histograms are another matter. Thread-safe.
 *
 * <p>A ring of short intervals: the window slides in steps of five seconds. Values are exact to one
 * per cent.
 */
public final class RecentWindow {
    private static final int INTERVALS = 12;
    private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int SECONDS = (int) (INTERVALS * INTERVAL_NANOS / 1_000_000_000L);
    private static final int SIGNIFICANT_DIGITS = 2;

    private final LongSupplier nanoClock;
    private final long startNanos;
    private final Histogram[] ring = new Histogram[INTERVALS];
    private final long[] interval = new long[INTERVALS];

    /**
     * @param nanoClock monotonic nanoseconds
     */
    public RecentWindow(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
        for (int i = 0; i < INTERVALS; i++) {
            ring[i] = new Histogram(SIGNIFICANT_DIGITS);
            interval[i] = -1;
        }
    }

    /**
     * Adds a latency that became known just now.
     *
     * @param nanos not negative
     */
    public synchronized void record(long nanos) {
        long now = current();
        int slot = (int) (now % INTERVALS);
        if (interval[slot] != now) {
            ring[slot].reset();
            interval[slot] = now;
        }
        ring[slot].recordValue(Math.max(0, nanos / 1_000));
    }

    /** Count and percentiles of the window that ends now. */
    public synchronized ClusterStatus.Window summary() {
        long oldest = current() - INTERVALS + 1;
        Histogram sum = new Histogram(SIGNIFICANT_DIGITS);
        for (int i = 0; i < INTERVALS; i++) {
            if (interval[i] >= oldest && interval[i] >= 0) {
                sum.add(ring[i]);
            }
        }
        long count = sum.getTotalCount();
        return new ClusterStatus.Window(
                SECONDS, count, seconds(sum, count, 50), seconds(sum, count, 99));
    }

    private static double seconds(Histogram histogram, long count, double percentile) {
        return count == 0 ? Double.NaN : histogram.getValueAtPercentile(percentile) / 1e6;
    }

    private long current() {
        return (nanoClock.getAsLong() - startNanos) / INTERVAL_NANOS;
    }
}
