/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.phase.Phase;
import io.phasewise.canary.phase.PhaseBreakdown;
import io.phasewise.canary.status.ClusterStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
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
    private static final Phase[] PHASES = Phase.values();

    private final LongSupplier nanoClock;
    private final long startNanos;
    private final Histogram[] ring = new Histogram[INTERVALS];
    private final long[] interval = new long[INTERVALS];

    /** Nanoseconds by interval and phase, and over how many probes. */
    private final long[][] phaseNanos = new long[INTERVALS][Phase.values().length];

    private final long[] brokenDown = new long[INTERVALS];

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
        ring[slot()].recordValue(Math.max(0, nanos / 1_000));
    }

    /**
     * Adds the phases of a latency that became known just now.
     *
     * @param phases of one probe
     */
    public synchronized void record(PhaseBreakdown phases) {
        int slot = slot();
        brokenDown[slot]++;
        for (Phase phase : PHASES) {
            phaseNanos[slot][phase.ordinal()] += phases.of(phase);
        }
    }

    private int slot() {
        long now = current();
        int slot = (int) (now % INTERVALS);
        if (interval[slot] != now) {
            ring[slot].reset();
            Arrays.fill(phaseNanos[slot], 0);
            brokenDown[slot] = 0;
            interval[slot] = now;
        }
        return slot;
    }

    /** Count, percentiles and mean phases of the window that ends now. */
    public synchronized ClusterStatus.Window summary() {
        long oldest = current() - INTERVALS + 1;
        Histogram sum = new Histogram(SIGNIFICANT_DIGITS);
        long probes = 0;
        double[] nanos = new double[Phase.values().length];
        for (int i = 0; i < INTERVALS; i++) {
            if (interval[i] >= oldest && interval[i] >= 0) {
                sum.add(ring[i]);
                probes += brokenDown[i];
                for (int p = 0; p < nanos.length; p++) {
                    nanos[p] += phaseNanos[i][p];
                }
            }
        }
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            means.put(phase, probes == 0 ? Double.NaN : nanos[phase.ordinal()] / probes / 1e9);
        }
        long count = sum.getTotalCount();
        return new ClusterStatus.Window(
                SECONDS, count, seconds(sum, count, 50), seconds(sum, count, 99), means);
    }

    private static double seconds(Histogram histogram, long count, double percentile) {
        return count == 0 ? Double.NaN : histogram.getValueAtPercentile(percentile) / 1e6;
    }

    private long current() {
        return (nanoClock.getAsLong() - startNanos) / INTERVAL_NANOS;
    }
}
