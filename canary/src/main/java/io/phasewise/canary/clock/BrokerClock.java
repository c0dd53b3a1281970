/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.clock;

import java.util.OptionalLong;

/**
 * Maps one broker's wall clock to the canary's monotonic clock, from nothing but the probes
 * themselves: estimates theta, broker wall clock minus canary monotonic clock, as an interval that
 * is certain to hold it, and with it the instant T2 of each append.
 *
 * <p><b>What a probe says.</b> Its record was appended after its request was handed over and before
 * the answer was there: lo &lt;= T2 &lt;= hi. The broker stamped the append with its LogAppendTime
 * L (KIP-32), the wall clock cut to the millisecond: at T2 the broker's clock stood in [L, L + 1
 * ms). Hence theta lies in [L - hi, L + 1 ms - lo). All is integer nanoseconds; bounds are rounded
 * outwards.
 *
 * <p><b>What many probes say.</b> The intersection of their intervals, taken over a sliding window
 * (Marzullo, "Maintaining the Time in a Distributed System", 1984: the intersection of correct
 * intervals is correct; his tolerance of faulty sources is not needed, as there is one source). As
 * clocks drift apart, an interval grows by the drift allowance with its age on both sides (as the
 * dispersion does in NTP, RFC 5905; from its clock filter comes the window, and from Cristian,
 * 1989, that the fastest exchanges carry the knowledge: slow ones add bounds that do not bind).
 * Lower and upper ends are kept in one monotone queue each, so a probe costs O(1) amortised.
 *
 * <p><b>The slow commit.</b> With acks=all the way back includes the commit, so where followers are
 * far away the lower end is low by their distance, and the middle would charge half of the commit
 * to the way out. But nothing holds up the fastest probe's way out as followers do its way back: it
 * took no longer than the least round trip of a tiny request, which went out on the same path
 * ({@link #limitWayOut}). The estimate stands in the middle of what that leaves, half the round
 * trip below the upper end; the stated uncertainty does not rely on it.
 *
 * <p><b>Steps.</b> An empty intersection means that no one offset explains all probes: the clock
 * stepped, or was slewed beyond the allowance. It is counted, everything learnt is dropped, and the
 * probe that showed it stands on its own bounds. Probes dispatched before that moment may have been
 * stamped by either clock; they stand on their own bounds too and teach nothing.
 *
 * <p><b>Guarantees.</b> For correct bounds and drift within the allowance: theta and T2 lie inside
 * their intervals. Whatever the clocks do, T2 lies in [lo, hi]: no step or slew makes a phase
 * negative or longer than the probe's own round trip. A step that is too small to empty the
 * intersection goes unseen until the window has moved on; the error is then below the step and
 * below half of hi - lo.
 *
 * <p><b>How good.</b> An upper bound is as good as (T2 - lo) + (what is left of the millisecond), a
 * lower one as (hi - T2) + (what has passed of it); theta's interval is as wide as the least of
 * either, plus drift. Where the fastest way out and the fastest way back take 150 us each (on
 * average 350 and 750 us), the half width is 1.0 ms after one probe, 0.34 ms after 20, 0.25 ms
 * after 100 and 0.24 ms after 1,000, of which 0.15 ms are the fastest ways and the rest is a drift
 * allowance of 10 ppm over the time between good probes. One probe's T2 adds the millisecond: its
 * half width is theta's plus 0.5 ms, or half of hi - lo if that is less. Over probes that do not
 * beat with the millisecond (Poisson arrivals do not) most of that averages out. What stays is a
 * bias towards the middle of [lo, hi], for the ends cut what lies beyond: in the example above the
 * mean of T2 is 0.09 ms late, and with ways ten times as long 0.07 ms. And what nobody can see from
 * one side: half the difference between the fastest way out and the fastest way back, the latter
 * including the fastest commit where acks=all. The stated uncertainty covers both.
 *
 * <p>Safe for use by several threads.
 */
public final class BrokerClock {

    private static final long MILLI = 1_000_000L;
    private static final int CAPACITY = 4096;

    /** Keys are rounded down, each by less than 1 ns. */
    private static final long ROUNDING = 2;

    private final long windowNanos;
    private final long recentNanos;
    private final long driftPpm;

    /** Holds (upper end - drift(lo)): the upper end at t is the least of them + drift(t). */
    private final SlidingMinimum upper;

    /** Holds -(lower end + drift(lo)): the lower end at t is -(least) - drift(t). */
    private final SlidingMinimum lower;

    /** As {@code upper}, of the last moments only. */
    private final SlidingMinimum recentUpper;

    private long wayOutLimit = Long.MAX_VALUE;
    private boolean started;
    private long reference;

    /** The latest hi taken in: the earliest instant for which the queues speak without detour. */
    private long frontier;

    private boolean stepped;
    private long stepSeenAt;
    private long steps;

    /**
     * @param windowNanos how long a probe's bounds count, more than 0
     * @param recentNanos what counts as the last moments in {@link #wayOutGrowthNanos}, more than 0
     * @param driftPpm most that the two clocks drift apart, 0 to 100,000 microseconds a second
     */
    public BrokerClock(long windowNanos, long recentNanos, int driftPpm) {
        if (windowNanos <= 0 || recentNanos <= 0 || driftPpm < 0 || driftPpm > 100_000) {
            throw new IllegalArgumentException(
                    "window " + windowNanos + " ns, drift " + driftPpm + " ppm");
        }
        this.windowNanos = windowNanos;
        this.driftPpm = driftPpm;
        this.recentNanos = recentNanos;
        this.recentUpper = new SlidingMinimum(recentNanos, CAPACITY);
        this.upper = new SlidingMinimum(windowNanos, CAPACITY);
        this.lower = new SlidingMinimum(windowNanos, CAPACITY);
    }

    /**
     * Learns from one appended probe and says when it was appended.
     *
     * @param lo earliest instant of the append, nanoseconds on the canary's monotonic clock: T1
     * @param hi latest instant: the acknowledgement, or the delivery where that is earlier or where
     *     acks=0. Narrowing both by the one-way delay leaves the middle where it is and states a
     *     smaller uncertainty, at the price that an asymmetric path is no longer covered.
     * @param logAppendMillis the record's LogAppendTime
     * @throws IllegalArgumentException when hi is before lo
     */
    public synchronized AppendEstimate observe(long lo, long hi, long logAppendMillis) {
        if (hi - lo < 0) {
            throw new IllegalArgumentException("hi " + (lo - hi) + " ns before lo");
        }
        if (!started) {
            started = true;
            reference = lo;
            frontier = hi;
        }
        if (stepped && lo - stepSeenAt < 0) {
            return new AppendEstimate(lo, hi, false);
        }
        long now = frontier - hi < 0 ? hi : frontier;
        upper.expire(now);
        recentUpper.expire(now);
        lower.expire(now);
        long upperKey = logAppendMillis * MILLI + MILLI - lo - drift(lo);
        long lowerKey = -(logAppendMillis * MILLI - hi + drift(lo));
        boolean step = !upper.isEmpty() && contradicts(now, lowerKey, upperKey);
        if (step) {
            steps++;
            stepped = true;
            stepSeenAt = now;
            upper.clear();
            recentUpper.clear();
            lower.clear();
        }
        upper.add(lo, upperKey);
        recentUpper.add(lo, upperKey);
        lower.add(lo, lowerKey);
        frontier = now;
        return estimate(lo, hi, logAppendMillis, step);
    }

    private boolean contradicts(long now, long lowerKey, long upperKey) {
        long highest = Math.min(upper.least(), upperKey) + drift(now);
        long lowest = -Math.min(lower.least(), lowerKey) - drift(now);
        return lowest > highest + 2 * ROUNDING;
    }

    /**
     * Says when a probe was appended, without learning from it.
     *
     * @param lo as for {@link #observe}
     * @param hi as for {@link #observe}
     * @param logAppendMillis the record's LogAppendTime
     * @throws IllegalArgumentException when hi is before lo
     */
    public synchronized AppendEstimate locate(long lo, long hi, long logAppendMillis) {
        if (hi - lo < 0) {
            throw new IllegalArgumentException("hi " + (lo - hi) + " ns before lo");
        }
        if (upper.isEmpty() || (stepped && lo - stepSeenAt < 0)) {
            return new AppendEstimate(lo, hi, false);
        }
        return estimate(lo, hi, logAppendMillis, false);
    }

    private AppendEstimate estimate(long lo, long hi, long logAppendMillis, boolean step) {
        // The offset at T2, anywhere in [lo, hi]: take it at the worse end.
        long high = Math.max(highestAt(lo), highestAt(hi));
        long low = likelyLow(Math.min(lowestAt(lo), lowestAt(hi)), high);
        long stamp = logAppendMillis * MILLI;
        return new AppendEstimate(
                clamp(stamp - high, lo, hi), clamp(stamp + MILLI - low, lo, hi), step);
    }

    /** The lower end where the fastest way out is believed to be within its limit. */
    private long likelyLow(long low, long high) {
        return wayOutLimit == Long.MAX_VALUE ? low : Math.max(low, high - wayOutLimit);
    }

    /**
     * Sets the longest that the fastest way out of the window is believed to take: the least round
     * trip of a tiny request, which went the same way out, and back too.
     *
     * @param nanos at least 0
     */
    public synchronized void limitWayOut(long nanos) {
        wayOutLimit = nanos;
    }

    private long highestAt(long instant) {
        long ahead = instant - frontier;
        return ahead >= 0
                ? upper.least() + drift(instant) + ROUNDING
                : upper.least() + drift(frontier) + ROUNDING + span(-ahead);
    }

    private long lowestAt(long instant) {
        long ahead = instant - frontier;
        return ahead >= 0
                ? -lower.least() - drift(instant) - ROUNDING
                : -lower.least() - drift(frontier) - ROUNDING - span(-ahead);
    }

    /**
     * The offset's estimate: the broker's wall clock minus the canary's monotonic clock. To show it
     * as an offset between wall clocks, subtract the canary's wall clock minus its monotonic clock.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @return nanoseconds; empty before the first probe
     */
    public synchronized OptionalLong offsetNanos(long now) {
        if (upper.isEmpty()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(middle(now));
    }

    /**
     * How far {@link #offsetNanos} can be off, whatever the way out took; grows with the drift
     * allowance while no probe comes.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @return nanoseconds, at least 0; empty before the first probe
     */
    public synchronized OptionalLong uncertaintyNanos(long now) {
        if (upper.isEmpty()) {
            return OptionalLong.empty();
        }
        long middle = middle(now);
        return OptionalLong.of(
                Math.max(0, Math.max(highestAt(now) - middle, middle - lowestAt(now))));
    }

    private long middle(long now) {
        long high = highestAt(now);
        long low = likelyLow(lowestAt(now), high);
        return low + (high - low) / 2;
    }

    /**
     * By how much the fastest way out of the last moments exceeds the fastest of the window: how
     * much slower the path to the broker has become, queues that nobody escapes included.
     *
     * <p>The upper end of theta is as good as the fastest way out was; that the bounds of the last
     * moments alone leave it that much higher is the fastest way's growth. Too small by at most the
     * drift allowance over the window, too large by at most what is left of the millisecond in the
     * probes of the last moments: the more they are, the less.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @return nanoseconds, at least 0; empty where no probe of the last moments tells
     */
    public synchronized OptionalLong wayOutGrowthNanos(long now) {
        recentUpper.expire(now);
        if (upper.isEmpty() || recentUpper.isEmpty() || recentUpper.age(now) > recentNanos) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Math.max(0, recentUpper.least() - upper.least()));
    }

    /** How many steps were seen. */
    public synchronized long steps() {
        return steps;
    }

    /** Bounds kept at the moment, at most {@value #CAPACITY} for each end. */
    synchronized int boundsKept() {
        return upper.size() + lower.size();
    }

    private long drift(long instant) {
        return span(instant - reference);
    }

    /** The most that the clocks drift apart in a time, rounded down; no overflow for centuries. */
    private long span(long nanos) {
        return Math.floorDiv(nanos, MILLI) * driftPpm
                + Math.floorMod(nanos, MILLI) * driftPpm / MILLI;
    }

    private static long clamp(long value, long from, long to) {
        if (value - from < 0) {
            return from;
        }
        return value - to > 0 ? to : value;
    }
}
