/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.show.status.ClusterStatus;
import io.phasewise.common.phase.Phase;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;

/**
 * Percentiles over the last minute, for a reader without Prometheus at hand; independent of the
 * exported histograms. Thread-safe.
 *
 * <p>A ring of short intervals: the window slides in steps of five seconds. Values are exact to one
 * per cent and to a microsecond.
 */
public final class RecentWindow {
    private static final int INTERVALS = 12;
    private static final long INTERVAL_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int SECONDS = (int) (INTERVALS * INTERVAL_NANOS / 1_000_000_000L);
    private static final Phase[] PHASES = Phase.values();

    /** The phases, and last the whole latency. */
    private static final int PARTS = PHASES.length + 1;

    private final LongSupplier nanoClock;
    private final long startNanos;
    private final Interval[] ring;

    /**
     * @param nanoClock monotonic nanoseconds
     */
    public RecentWindow(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
        this.ring = new Interval[INTERVALS];
        Arrays.setAll(ring, i -> new Interval());
    }

    /**
     * Adds a latency that became known just now.
     *
     * @param nanos not negative
     */
    public synchronized void record(long nanos) {
        interval().add(PHASES.length, nanos);
    }

    /**
     * Adds the phases of a latency that became known just now.
     *
     * @param probe the phases of one probe
     */
    public synchronized void record(PhaseBreakdown probe) {
        Interval interval = interval();
        for (Phase phase : PHASES) {
            interval.add(phase.ordinal(), probe.of(phase));
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
        Histogram[] values = new Histogram[PARTS];
        Arrays.setAll(values, i -> new Histogram(RecentValues.SIGNIFICANT_DIGITS));
        double[] nanos = new double[PARTS];
        for (Interval interval : ring) {
            // Not all under one lock: a reader of the status must not hold up a probe for long.
            synchronized (this) {
                for (int i = 0; i < PARTS && interval.number >= oldest; i++) {
                    interval.values[i].addTo(values[i]);
                    nanos[i] += interval.nanos[i];
                }
            }
        }
        Map<Phase, ClusterStatus.PhaseSeconds> phases = new EnumMap<>(Phase.class);
        for (Phase phase : PHASES) {
            phases.put(phase, figures(values[phase.ordinal()], nanos[phase.ordinal()]));
        }
        Histogram endToEnd = values[PHASES.length];
        return new ClusterStatus.Window(
                SECONDS, endToEnd.getTotalCount(), seconds(endToEnd, 50), seconds(endToEnd, 99), phases);
    }

    private static ClusterStatus.PhaseSeconds figures(Histogram values, double nanos) {
        return new ClusterStatus.PhaseSeconds(
                nanos / values.getTotalCount() / 1e9, seconds(values, 50), seconds(values, 99));
    }

    private static double seconds(Histogram values, double percentile) {
        return values.getTotalCount() == 0 ? Double.NaN : values.getValueAtPercentile(percentile) / 1e6;
    }

    private long current() {
        return (nanoClock.getAsLong() - startNanos) / INTERVAL_NANOS;
    }

    /** The values of five seconds. */
    private static final class Interval {
        private final RecentValues[] values;
        private final long[] nanos;
        private long number = -1;

        private Interval() {
            values = new RecentValues[PARTS];
            Arrays.setAll(values, i -> new RecentValues());
            nanos = new long[PARTS];
        }

        private void begin(long now) {
            number = now;
            Arrays.stream(values).forEach(RecentValues::clear);
            Arrays.fill(nanos, 0);
        }

        private void add(int part, long took) {
            values[part].add(Math.max(0, took / 1_000));
            nanos[part] += took;
        }
    }
}
