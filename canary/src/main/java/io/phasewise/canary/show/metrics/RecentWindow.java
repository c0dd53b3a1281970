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

/**
 * Percentiles over the last minute, for a reader without Prometheus at hand; the exported
 * histograms are another matter. Thread-safe.
 *
 * <p>Exact: keeps the parts of every probe, up to {@value #MOST} of them. Where there are more in a
 * minute, the window is shorter, and says so.
 */
public final class RecentWindow {
    private static final int SECONDS = 60;
    private static final int MOST = 1 << 15;
    private static final int LEAST_ROOM = 32;
    private static final Phase[] PHASES = Phase.values();

    private final LongSupplier nanoClock;
    private final boolean mirrored;

    /** When each probe became known; a ring, as its parts are. */
    private long[] instants = {};

    /** By part: the phases, and the mirror behind them where there is one. */
    private final long[][] nanos;

    private int first;
    private int count;

    /**
     * @param nanoClock monotonic nanoseconds
     * @param mirrored whether the probes are read in another cluster
     */
    public RecentWindow(LongSupplier nanoClock, boolean mirrored) {
        this.nanoClock = nanoClock;
        this.mirrored = mirrored;
        this.nanos = new long[PHASES.length + (mirrored ? 1 : 0)][0];
    }

    /**
     * Adds a latency that was split just now.
     *
     * @param probe the parts of one
     */
    public synchronized void record(PhaseBreakdown probe) {
        long now = nanoClock.getAsLong();
        forgetOld(now);
        if (count == MOST) {
            forgetFirst();
        } else if (count == instants.length) {
            grow(Math.min(MOST, Math.max(LEAST_ROOM, count + count / 4)));
        }
        int slot = slot(count++);
        instants[slot] = now;
        for (Phase phase : PHASES) {
            nanos[phase.ordinal()][slot] = probe.of(phase);
        }
        if (mirrored) {
            nanos[PHASES.length][slot] = probe.mirror();
        }
    }

    private void forgetOld(long now) {
        while (count > 0 && now - instants[first] > Duration.ofSeconds(SECONDS).toNanos()) {
            forgetFirst();
        }
    }

    private void forgetFirst() {
        first = slot(1);
        count--;
    }

    private int slot(int index) {
        return (first + index) % instants.length;
    }

    private void grow(int room) {
        long[] grown = inOrder(instants, room);
        for (int part = 0; part < nanos.length; part++) {
            nanos[part] = inOrder(nanos[part], room);
        }
        instants = grown;
        first = 0;
    }

    /** A copy that begins with the oldest. */
    private long[] inOrder(long[] ring, int room) {
        long[] copy = new long[room];
        for (int i = 0; i < count; i++) {
            copy[i] = ring[slot(i)];
        }
        return copy;
    }

    /** Count, percentiles and phases of the window that ends now. */
    public ClusterStatus.Window summary() {
        long[][] values = new long[nanos.length][];
        int seconds;
        synchronized (this) {
            long now = nanoClock.getAsLong();
            forgetOld(now);
            seconds = count == MOST ? (int) ((now - instants[first]) / 1_000_000_000) : SECONDS;
            Arrays.setAll(values, part -> inOrder(nanos[part], count));
        }
        long[] endToEnd = new long[values[0].length];
        Arrays.setAll(endToEnd, i -> Arrays.stream(values).mapToLong(part -> part[i]).sum());
        ClusterStatus.PartSeconds whole = part(endToEnd);
        Map<Phase, ClusterStatus.PartSeconds> phases = new EnumMap<>(Phase.class);
        for (Phase phase : PHASES) {
            phases.put(phase, part(values[phase.ordinal()]));
        }
        return new ClusterStatus.Window(
                seconds,
                endToEnd.length,
                whole.p50(),
                whole.p99(),
                phases,
                mirrored ? part(values[PHASES.length]) : null);
    }

    private static ClusterStatus.PartSeconds part(long[] nanos) {
        Arrays.sort(nanos);
        double mean = Arrays.stream(nanos).average().orElse(Double.NaN) / 1e9;
        return new ClusterStatus.PartSeconds(mean, seconds(nanos, 50), seconds(nanos, 99));
    }

    private static double seconds(long[] sorted, int percentile) {
        int rank = (sorted.length * percentile + 99) / 100;
        return rank == 0 ? Double.NaN : sorted[rank - 1] / 1e9;
    }
}
