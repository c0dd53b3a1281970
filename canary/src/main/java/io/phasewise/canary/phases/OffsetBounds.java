/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

/**
 * The interval that all probes of a sliding window leave for the offset between two clocks, if
 * these drift apart by no more than an allowance; what follows from it is left to {@link
 * BrokerClock}.
 *
 * <p>Lower and upper ends are kept in one monotone queue each, in a form that does not depend on
 * when they are asked for, so a probe costs O(1) amortised. All is integer nanoseconds; bounds are
 * rounded outwards. Not safe for use by several threads.
 */
final class OffsetBounds {

    private static final long MILLI = 1_000_000L;

    /** Most bounds kept for each end. */
    static final int CAPACITY = 4096;

    /** Keys are rounded down, each by less than 1 ns. */
    private static final long ROUNDING = 2;

    private final long driftPpm;

    /** Holds (upper end - drift(at)): the upper end at t is the least of them + drift(t). */
    private final SlidingMinimum upper;

    /** Holds -(lower end + drift(at)): the lower end at t is -(least) - drift(t). */
    private final SlidingMinimum lower;

    private boolean started;
    private long reference;

    /**
     * The instant of the last {@link #advance}. For earlier ones the bounds are widened by the
     * drift back from it.
     */
    private long frontier;

    /**
     * @param windowNanos how long a probe's bounds count, more than 0
     * @param driftPpm most that the clocks drift apart, 0 to 100,000 microseconds a second
     */
    OffsetBounds(long windowNanos, int driftPpm) {
        this.driftPpm = driftPpm;
        this.upper = new SlidingMinimum(windowNanos, CAPACITY);
        this.lower = new SlidingMinimum(windowNanos, CAPACITY);
    }

    /** Forgets what is older than the window at that instant. */
    void advance(long now) {
        if (!started) {
            started = true;
            reference = now;
        }
        frontier = now;
        upper.expire(now);
        lower.expire(now);
    }

    /** Whether no single offset explains both the probes so far and one that leaves [low, high]. */
    boolean contradict(long at, long low, long high) {
        if (isEmpty()) {
            return false;
        }
        long highest = Math.min(upper.least(), upperKey(at, high)) + drift(frontier);
        long lowest = -Math.min(lower.least(), lowerKey(at, low)) - drift(frontier);
        return lowest > highest + 2 * ROUNDING;
    }

    /**
     * Takes in what one probe leaves for the offset.
     *
     * @param at when, on the canary's clock
     * @param low the least that the offset can have been
     * @param high the most
     */
    void add(long at, long low, long high) {
        upper.add(at, upperKey(at, high));
        lower.add(at, lowerKey(at, low));
    }

    void clear() {
        upper.clear();
        lower.clear();
    }

    boolean isEmpty() {
        return upper.isEmpty();
    }

    /**
     * The most that the offset can be at an instant; the caller has made sure that a probe is
     * there.
     */
    long highestAt(long instant) {
        return upper.least() + widening(instant);
    }

    /**
     * The least that the offset can be at an instant; here, too, the caller has made sure of a
     * probe.
     */
    long lowestAt(long instant) {
        return -lower.least() - widening(instant);
    }

    private long widening(long instant) {
        long ahead = instant - frontier;
        return ROUNDING + (ahead >= 0 ? drift(instant) : drift(frontier) + span(-ahead));
    }

    private long upperKey(long at, long high) {
        return high - drift(at);
    }

    private long lowerKey(long at, long low) {
        return -(low + drift(at));
    }

    private long drift(long instant) {
        return span(instant - reference);
    }

    /** The most that the clocks drift apart in a time, rounded down; no overflow for centuries. */
    private long span(long nanos) {
        return Math.floorDiv(nanos, MILLI) * driftPpm + Math.floorMod(nanos, MILLI) * driftPpm / MILLI;
    }
}
