/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.util.function.LongSupplier;

/**
 * Remembers when the process was paused, and says for how much of a stretch of time it was;
 * noticing pauses is left to {@link HiccupMeter}. Thread-safe.
 */
public final class Stalls {
    private static final int REMEMBERED = 1024;

    private final long thresholdNanos;
    private final LongSupplier nanoClock;
    private final long[] from = new long[REMEMBERED];
    private final long[] to = new long[REMEMBERED];
    private long count;
    private boolean expecting;
    private long expected;

    /**
     * @param thresholdNanos a timer later than this means a stall
     * @param nanoClock monotonic nanoseconds
     */
    public Stalls(long thresholdNanos, LongSupplier nanoClock) {
        this.thresholdNanos = thresholdNanos;
        this.nanoClock = nanoClock;
    }

    /** A timer was set; until it fires, its lateness so far counts as a stall under way. */
    synchronized void expect(long due) {
        expecting = true;
        expected = due;
    }

    /** The timer fired. */
    synchronized void fired(long due, long now) {
        expecting = false;
        if (now - due > thresholdNanos) {
            int slot = (int) (count++ % REMEMBERED);
            from[slot] = due;
            to[slot] = now;
        }
    }

    /**
     * How long the process was paused within a stretch of time, nanoseconds; knows the last {@value
     * #REMEMBERED} stalls only, so it may say too little, never too much.
     *
     * @param start monotonic nanoseconds
     * @param end not before start
     */
    public synchronized long within(long start, long end) {
        long now = nanoClock.getAsLong();
        long nanos = 0;
        if (expecting && now - expected > thresholdNanos) {
            nanos = overlap(start, end, expected, now);
        }
        long oldest = Math.max(0, count - REMEMBERED);
        for (long i = count - 1; i >= oldest; i--) {
            int slot = (int) (i % REMEMBERED);
            if (to[slot] - start <= 0) {
                break; // stalls are in order: all earlier ones ended before
            }
            nanos += overlap(start, end, from[slot], to[slot]);
        }
        return nanos;
    }

    /** Differences, not comparisons of instants: a monotonic clock may wrap. */
    private static long overlap(long start, long end, long from, long to) {
        long begin = from - start > 0 ? from : start;
        long finish = to - end < 0 ? to : end;
        return Math.max(0, finish - begin);
    }
}
