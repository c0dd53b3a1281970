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
    private static final Phase[] PHASES = Phase.values();

    private final LongSupplier nanoClock;

    /** The phases, the mirror behind them where there is one, and last the whole latency. */
    private final int parts;

    private final boolean mirrored;
    private final long startNanos;
    private final Interval[] ring;

    /**
     * @param nanoClock monotonic nanoseconds
     * @param mirrored whether the probes are read in another cluster
     */
    public RecentWindow(LongSupplier nanoClock, boolean mirrored) {
        this.nanoClock = nanoClock;
        this.mirrored = mirrored;
        this.parts = PHASES.length + (mirrored ? 2 : 1);
        this.startNanos = nanoClock.getAsLong();
        this.ring = new Interval[INTERVALS];
        Arrays.setAll(ring, i -> new Interval(parts));
    }

    /**
     * Adds a latency that became known just now.
     *
     * @param nanos not negative
     */
    public synchronized void record(long nanos) {
        interval().add(parts - 1, nanos);
    }

    /**
     * Adds the parts of a latency that became known just now.
     *
     * @param probe the parts of one
     */
    public synchronized void record(PhaseBreakdown probe) {
        Interval interval = interval();
        for (Phase phase : PHASES) {
            interval.add(phase.ordinal(), probe.of(phase));
        }
        if (mirrored) {
            interval.add(PHASES.length, probe.mirror());
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
        Histogram[] values = new Histogram[parts];
        Arrays.setAll(values, i -> new Histogram(RecentValues.SIGNIFICANT_DIGITS));
        double[] nanos = new double[parts];
        for (Interval interval : ring) {
            // Not all under one lock: a reader of the status must not hold up a probe for long.
            synchronized (this) {
                for (int i = 0; i < parts && interval.number >= oldest; i++) {
                    interval.values[i].addTo(values[i]);
                    nanos[i] += interval.nanos[i];
                }
            }
        }
        Map<Phase, ClusterStatus.PartSeconds> phases = new EnumMap<>(Phase.class);
        for (Phase phase : PHASES) {
            phases.put(phase, part(values[phase.ordinal()], nanos[phase.ordinal()]));
        }
        Histogram endToEnd = values[parts - 1];
        return new ClusterStatus.Window(
                SECONDS,
                endToEnd.getTotalCount(),
                seconds(endToEnd, 50),
                seconds(endToEnd, 99),
                phases,
                mirrored ? part(values[PHASES.length], nanos[PHASES.length]) : null);
    }

    private static ClusterStatus.PartSeconds part(Histogram values, double nanos) {
        return new ClusterStatus.PartSeconds(
                nanos / values.getTotalCount() / 1e9, seconds(values, 50), seconds(values, 99));
    }

    private static double seconds(Histogram values, double percentile) {
        return values.getTotalCount() == 0 ? Double.NaN : values.getValueAtPercentile(percentile) / 1e6;
    }

    private long current() {
        return (nanoClock.getAsLong() - startNanos) / INTERVAL_NANOS;
    }

    /** Five seconds. */
    private static final class Interval {
        private final RecentValues[] values;
        private final long[] nanos;
        private long number = -1;

        private Interval(int parts) {
            values = new RecentValues[parts];
            Arrays.setAll(values, i -> new RecentValues());
            nanos = new long[parts];
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
