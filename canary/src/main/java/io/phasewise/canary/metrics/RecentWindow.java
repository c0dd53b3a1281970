/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.phase.PhaseBreakdown;
import io.phasewise.canary.status.ClusterStatus;
import io.phasewise.common.phase.Phase;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Percentiles over the last minute, for a reader without Prometheus at hand; the exported
 * histograms are another matter. Thread-safe.
 *
 * <p>A ring of short intervals: the window slides in steps of five seconds. Values are exact to one
 * per cent and to a microsecond.
 */
public final class RecentWindow {
    private static final int INTERVALS = 12;
    private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int SECONDS = (int) (INTERVALS * INTERVAL_NANOS / 1_000_000_000L);

    private final LongSupplier nanoClock;
    private final Phase[] phases;
    private final long startNanos;
    private final Interval[] ring;

    /**
     * @param nanoClock monotonic nanoseconds
     * @param phases that the probes pass
     */
    public RecentWindow(LongSupplier nanoClock, List<Phase> phases) {
        this.nanoClock = nanoClock;
        this.phases = phases.toArray(Phase[]::new);
        this.startNanos = nanoClock.getAsLong();
        this.ring = new Interval[INTERVALS];
        Arrays.setAll(ring, i -> new Interval(this.phases.length));
    }

    /**
     * Adds a latency that became known just now.
     *
     * @param nanos not negative
     */
    public synchronized void record(long nanos) {
        interval().endToEnd.add(micros(nanos));
    }

    /**
     * Adds the phases of a latency that became known just now.
     *
     * @param probe the phases of one
     */
    public synchronized void record(PhaseBreakdown probe) {
        Interval interval = interval();
        for (int i = 0; i < phases.length; i++) {
            long nanos = probe.of(phases[i]);
            interval.phases[i].add(micros(nanos));
            interval.phaseNanos[i] += nanos;
        }
    }

    private Interval interval() {
        long now = current();
        Interval interval = ring[(int) (now % INTERVALS)];
        if (interval.number != now) {
            interval.begin(now);
        }
        return interval;
    }

    /** Count, percentiles and phases of the window that ends now. */
    public ClusterStatus.Window summary() {
        long oldest = Math.max(0, current() - INTERVALS + 1);
        Sum sum = new Sum();
        for (Interval interval : ring) {
            // Not all under one lock: a reader of the status must not hold up a probe for long.
            synchronized (this) {
                if (interval.number >= oldest) {
                    sum.add(interval);
                }
            }
        }
        return sum.window();
    }

    private static long micros(long nanos) {
        return Math.max(0, nanos / 1_000);
    }

    private long current() {
        return (nanoClock.getAsLong() - startNanos) / INTERVAL_NANOS;
    }

    /** Five seconds. */
    private static final class Interval {
        private final RecentValues endToEnd = new RecentValues();
        private final RecentValues[] phases;
        private final long[] phaseNanos;
        private long number = -1;

        private Interval(int phases) {
            this.phases = new RecentValues[phases];
            Arrays.setAll(this.phases, i -> new RecentValues());
            this.phaseNanos = new long[phases];
        }

        private void begin(long now) {
            number = now;
            endToEnd.clear();
            for (RecentValues values : phases) {
                values.clear();
            }
            Arrays.fill(phaseNanos, 0);
        }
    }

    /** Several intervals together. */
    private final class Sum {
        private final Histogram endToEnd = new Histogram(RecentValues.SIGNIFICANT_DIGITS);
        private final Histogram[] byPhase = new Histogram[phases.length];
        private final double[] phaseNanos = new double[phases.length];

        private Sum() {
            Arrays.setAll(byPhase, i -> new Histogram(RecentValues.SIGNIFICANT_DIGITS));
        }

        private void add(Interval interval) {
            interval.endToEnd.addTo(endToEnd);
            for (int i = 0; i < phases.length; i++) {
                interval.phases[i].addTo(byPhase[i]);
                phaseNanos[i] += interval.phaseNanos[i];
            }
        }

        private ClusterStatus.Window window() {
            Map<Phase, ClusterStatus.PhaseSeconds> seconds = new EnumMap<>(Phase.class);
            for (int i = 0; i < phases.length; i++) {
                seconds.put(
                        phases[i],
                        new ClusterStatus.PhaseSeconds(
                                phaseNanos[i] / byPhase[i].getTotalCount() / 1e9,
                                seconds(byPhase[i], 50),
                                seconds(byPhase[i], 99)));
            }
            return new ClusterStatus.Window(
                    SECONDS,
                    endToEnd.getTotalCount(),
                    seconds(endToEnd, 50),
                    seconds(endToEnd, 99),
                    seconds);
        }

        private static double seconds(Histogram histogram, double percentile) {
            return histogram.getTotalCount() == 0
                    ? Double.NaN
                    : histogram.getValueAtPercentile(percentile) / 1e6;
        }
    }
}
