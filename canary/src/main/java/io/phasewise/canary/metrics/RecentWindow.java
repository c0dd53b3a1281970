/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.phase.Phase;
import io.phasewise.canary.phase.PhaseBreakdown;
import io.phasewise.canary.status.ClusterStatus;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.IntCountsHistogram;

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
    private static final int SIGNIFICANT_DIGITS = 2;

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
        this.ring =
                Stream.generate(() -> new Interval(this.phases))
                        .limit(INTERVALS)
                        .toArray(Interval[]::new);
    }

    /**
     * Adds a latency that became known just now.
     *
     * @param nanos not negative
     */
    public synchronized void record(long nanos) {
        interval().endToEnd.recordValue(micros(nanos));
    }

    /**
     * Adds the phases of a latency that became known just now.
     *
     * @param phases of one probe
     */
    public synchronized void record(PhaseBreakdown phases) {
        interval().add(phases);
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
        Sum sum = new Sum(phases);
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
        private long number = -1;
        private final AbstractHistogram endToEnd = new IntCountsHistogram(SIGNIFICANT_DIGITS);
        private final Phase[] path;
        private final AbstractHistogram[] phases;
        private final long[] phaseNanos;

        private Interval(Phase[] path) {
            this.path = path;
            this.phases = new AbstractHistogram[path.length];
            this.phaseNanos = new long[path.length];
            for (int i = 0; i < path.length; i++) {
                phases[i] = new IntCountsHistogram(SIGNIFICANT_DIGITS);
            }
        }

        private void begin(long now) {
            number = now;
            endToEnd.reset();
            for (int i = 0; i < path.length; i++) {
                phases[i].reset();
                phaseNanos[i] = 0;
            }
        }

        private void add(PhaseBreakdown probe) {
            for (int i = 0; i < path.length; i++) {
                long nanos = probe.of(path[i]);
                phases[i].recordValue(micros(nanos));
                phaseNanos[i] += nanos;
            }
        }
    }

    /** Several intervals together. */
    private static final class Sum {
        private final Histogram endToEnd = new Histogram(SIGNIFICANT_DIGITS);
        private final Phase[] path;
        private final Histogram[] phases;
        private final double[] phaseNanos;

        private Sum(Phase[] path) {
            this.path = path;
            this.phases = new Histogram[path.length];
            this.phaseNanos = new double[path.length];
            for (int i = 0; i < path.length; i++) {
                phases[i] = new Histogram(SIGNIFICANT_DIGITS);
            }
        }

        private void add(Interval interval) {
            endToEnd.add(interval.endToEnd);
            for (int i = 0; i < path.length; i++) {
                phases[i].add(interval.phases[i]);
                phaseNanos[i] += interval.phaseNanos[i];
            }
        }

        private ClusterStatus.Window window() {
            Map<Phase, ClusterStatus.PhaseSeconds> byPhase = new EnumMap<>(Phase.class);
            for (int i = 0; i < path.length; i++) {
                byPhase.put(
                        path[i],
                        new ClusterStatus.PhaseSeconds(
                                phaseNanos[i] / phases[i].getTotalCount() / 1e9,
                                seconds(phases[i], 50),
                                seconds(phases[i], 99)));
            }
            return new ClusterStatus.Window(
                    SECONDS,
                    endToEnd.getTotalCount(),
                    seconds(endToEnd, 50),
                    seconds(endToEnd, 99),
                    byPhase);
        }

        private static double seconds(Histogram histogram, double percentile) {
            return histogram.getTotalCount() == 0
                    ? Double.NaN
                    : histogram.getValueAtPercentile(percentile) / 1e6;
        }
    }
}
