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

    /** The phases, and the mirror behind them where there is one. */
    private final int parts;

    private final long startNanos;
    private final Interval[] ring;

    /**
     * @param nanoClock monotonic nanoseconds
     * @param mirrored whether the probes are read in another cluster
     */
    public RecentWindow(LongSupplier nanoClock, boolean mirrored) {
        this.nanoClock = nanoClock;
        this.parts = PHASES.length + (mirrored ? 1 : 0);
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
        interval().endToEnd.add(micros(nanos));
    }

    /**
     * Adds the parts of a latency that became known just now.
     *
     * @param probe the parts of one
     */
    public synchronized void record(PhaseBreakdown probe) {
        Interval interval = interval();
        for (int i = 0; i < parts; i++) {
            long nanos = i < PHASES.length ? probe.of(PHASES[i]) : probe.mirror();
            interval.parts[i].add(micros(nanos));
            interval.nanos[i] += nanos;
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
        private final RecentValues[] parts;
        private final long[] nanos;
        private long number = -1;

        private Interval(int parts) {
            this.parts = new RecentValues[parts];
            Arrays.setAll(this.parts, i -> new RecentValues());
            this.nanos = new long[parts];
        }

        private void begin(long now) {
            number = now;
            endToEnd.clear();
            for (RecentValues values : parts) {
                values.clear();
            }
            Arrays.fill(nanos, 0);
        }
    }

    /** Several intervals together. */
    private final class Sum {
        private final Histogram endToEnd = new Histogram(RecentValues.SIGNIFICANT_DIGITS);
        private final Histogram[] byPart = new Histogram[parts];
        private final double[] nanos = new double[parts];

        private Sum() {
            Arrays.setAll(byPart, i -> new Histogram(RecentValues.SIGNIFICANT_DIGITS));
        }

        private void add(Interval interval) {
            interval.endToEnd.addTo(endToEnd);
            for (int i = 0; i < parts; i++) {
                interval.parts[i].addTo(byPart[i]);
                nanos[i] += interval.nanos[i];
            }
        }

        private ClusterStatus.Window window() {
            Map<Phase, ClusterStatus.PartSeconds> phases = new EnumMap<>(Phase.class);
            for (Phase phase : PHASES) {
                phases.put(phase, part(phase.ordinal()));
            }
            return new ClusterStatus.Window(
                    SECONDS,
                    endToEnd.getTotalCount(),
                    seconds(endToEnd, 50),
                    seconds(endToEnd, 99),
                    phases,
                    parts > PHASES.length ? part(PHASES.length) : null);
        }

        private ClusterStatus.PartSeconds part(int i) {
            return new ClusterStatus.PartSeconds(
                    nanos[i] / byPart[i].getTotalCount() / 1e9,
                    seconds(byPart[i], 50),
                    seconds(byPart[i], 99));
        }

        private static double seconds(Histogram histogram, double percentile) {
            return histogram.getTotalCount() == 0
                    ? Double.NaN
                    : histogram.getValueAtPercentile(percentile) / 1e6;
        }
    }
}
