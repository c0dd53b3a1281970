/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * The slowest probes of the last hour, counted in whole minutes; which probes are offered is left
 * to {@link ProbeJournal}. Thread-safe.
 *
 * <p>Exact, and small: each minute keeps its slowest in a heap. When it is over, probes of earlier
 * minutes are dropped where enough younger ones are slower, as they can never be among the slowest
 * again. While latencies look alike from minute to minute, minute n back keeps one n-th of the
 * number kept: under six times that number in all. When they fall all the time it is sixty times,
 * and never more. Most probes are turned away by one comparison, without a lock.
 */
final class SlowestProbes {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final int MINUTES = 60;
    private static final Comparator<ProbeReport> FASTEST_FIRST =
            Comparator.comparingLong(report -> report.trip().latencyNanos());

    private final int keep;
    private final long startNanos;

    /** The minute under way, its fastest on top. */
    private final PriorityQueue<ProbeReport> current = new PriorityQueue<>(FASTEST_FIRST);

    /** The minutes before it, youngest first. */
    private final Deque<Minute> past = new ArrayDeque<>();

    private volatile long currentMinute;

    /** Only slower ones are kept in the minute under way. */
    private volatile long threshold;

    private record Minute(long number, List<ProbeReport> probes) {}

    /**
     * @param keep how many to remember, 0 or more
     * @param startNanos the present, monotonic nanoseconds
     */
    SlowestProbes(int keep, long startNanos) {
        this.keep = keep;
        this.startNanos = startNanos;
        this.threshold = open();
    }

    private long open() {
        return keep == 0 ? Long.MAX_VALUE : -1;
    }

    /** Whether a probe of that latency that became known now would be kept, for the time being. */
    boolean admits(long latencyNanos, long nowNanos) {
        return latencyNanos > threshold || keep > 0 && minute(nowNanos) > currentMinute;
    }

    /** Takes a probe that became known now. */
    synchronized void add(ProbeReport probe, long nowNanos) {
        roll(minute(nowNanos));
        if (probe.trip().latencyNanos() <= threshold) {
            return;
        }
        if (current.size() == keep) {
            current.remove();
        }
        current.add(probe);
        if (current.size() == keep) {
            threshold = current.element().trip().latencyNanos();
        }
    }

    /** The slowest of the hour that ends now, slowest first. */
    synchronized List<ProbeReport> slowest(long nowNanos) {
        roll(minute(nowNanos));
        List<ProbeReport> all = new ArrayList<>(current);
        past.forEach(minute -> all.addAll(minute.probes()));
        all.sort(FASTEST_FIRST.reversed());
        return List.copyOf(all.subList(0, Math.min(keep, all.size())));
    }

    /** How many probes it holds now, to be able to answer {@link #slowest} at any later time. */
    synchronized int held() {
        return current.size()
                + past.stream().mapToInt(minute -> minute.probes().size()).sum();
    }

    private long minute(long nowNanos) {
        return (nowNanos - startNanos) / MINUTE;
    }

    private void roll(long minute) {
        if (minute <= currentMinute) {
            return;
        }
        past.addFirst(new Minute(currentMinute, new ArrayList<>(current)));
        current.clear();
        currentMinute = minute;
        threshold = open();
        PriorityQueue<ProbeReport> younger = new PriorityQueue<>(FASTEST_FIRST);
        for (Iterator<Minute> minutes = past.iterator(); minutes.hasNext(); ) {
            Minute each = minutes.next();
            if (each.number() < minute - MINUTES) {
                minutes.remove();
                continue;
            }
            if (younger.size() == keep && keep > 0) {
                long least = younger.element().trip().latencyNanos();
                each.probes().removeIf(probe -> probe.trip().latencyNanos() <= least);
            }
            younger.addAll(each.probes());
            while (younger.size() > keep) {
                younger.remove();
            }
        }
    }
}
