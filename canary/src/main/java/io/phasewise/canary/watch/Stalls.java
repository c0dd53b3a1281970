/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.watch;

import java.util.function.LongSupplier;

/**
 * Remembers when the process stood still, and says whether a stretch of time was touched by that;
 * noticing it is left to {@link HiccupMeter}. Thread-safe.
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
     * Whether the process stood still at some instant of a stretch of time; of long memory, but not
     * endless: the last {@value #REMEMBERED} stalls.
     *
     * @param start monotonic nanoseconds
     * @param end not before start
     */
    public synchronized boolean touched(long start, long end) {
        long now = nanoClock.getAsLong();
        if (expecting && now - expected > thresholdNanos && end - expected > 0) {
            return true;
        }
        long oldest = Math.max(0, count - REMEMBERED);
        for (long i = count - 1; i >= oldest; i--) {
            int slot = (int) (i % REMEMBERED);
            if (to[slot] - start <= 0) {
                return false; // stalls are in order: all earlier ones ended before
            }
            if (from[slot] - end < 0) {
                return true;
            }
        }
        return false;
    }
}
