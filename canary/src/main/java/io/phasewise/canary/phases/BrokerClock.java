/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.List;
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
 *
 * <p><b>Two allowances.</b> Clocks that are left alone drift apart by a few parts per million: that
 * allowance gives the estimate. A clock that is being set gradually, as adjtime does, gains up to
 * 500: what that wider allowance leaves is what is stated as uncertain, and it bounds the estimate.
 *
 * <p><b>The slow commit.</b> With acks=all the way back includes the commit, so where followers are
 * far away the lower end is low by their distance, and the middle would charge half of the commit
 * to the way out. But nothing holds up the fastest probe's way out as followers do its way back: it
 * took no longer than the least round trip of a tiny request, which went out on the same path
 * ({@link #limitWayOut}). The estimate stands in the middle of what that leaves, half the round
 * trip below the upper end; the stated uncertainty does not rely on it.
 *
 * <p><b>The slow way out.</b> Where records reach the broker by way of another cluster, the roles
 * are swapped: the way out includes the mirroring, and it is the fastest way back that is short
 * ({@link #limitWayBack}). The estimate then stands half that limit above the lower end.
 *
 * <p><b>Steps.</b> When no one offset explains all probes even with the wider allowance, the clock
 * stepped. It is counted, everything learnt is dropped, and the probe that showed it stands on its
 * own bounds. Probes dispatched before that moment may have been stamped by either clock; they
 * stand on their own bounds too and teach nothing. When only the narrower allowance is
 * contradicted, the clock is being set: the estimate starts anew within what the wider one leaves.
 *
 * <p><b>Guarantees.</b> For correct bounds and clocks set no faster than the wider allowance: theta
 * and T2 lie inside their intervals. Whatever the clocks do, T2 lies in [lo, hi]: no step or slew
 * makes a phase negative or longer than the probe's own round trip. A step that is too small to
 * empty the intersection goes unseen until the window has moved on; the error is then below the
 * step and below half of hi - lo.
 *
 * <p><b>How good.</b> An upper bound is as good as (T2 - lo) + (what is left of the millisecond), a
 * lower one as (hi - T2) + (what has passed of it); theta's interval is as wide as the least of
 * either, plus drift. Where the fastest way out and the fastest way back take 150 us each (on
 * average 350 and 750 us), at 20 probes a second and with allowances of 10 and 500 ppm, the offset
 * is known to 1.0 ms after one probe and to 0.6 ms from the twentieth on: 0.15 ms are the fastest
 * ways, the rest is the wider allowance over the time between good probes. One probe's T2 adds the
 * millisecond: half of it, or half of hi - lo if that is less. Over probes that do not beat with
 * the millisecond (Poisson arrivals do not) most of that averages out. What stays is a bias towards
 * the middle of [lo, hi], for the ends cut what lies beyond: in the example above the mean of T2 is
 * 0.09 ms late, and with ways ten times as long 0.07 ms. And what nobody can see from one side:
 * half the difference between the fastest way out and the fastest way back, the latter including
 * the fastest commit where acks=all. The stated uncertainty covers both.
 *
 * <p>Safe for use by several threads.
 */
public final class BrokerClock {

    private static final long MILLI = 1_000_000L;

    /** Two hosts disciplined by NTP drift apart by less, most of the time by far. */
    private static final int DRIFT_PPM = 20;

    /**
     * The most that adjtime sets a clock by, on Linux and as POSIX systems took it over. Chrony's
     * default is far more; bounds that allowed for it would say nothing after some seconds.
     */
    private static final int SLEW_PPM = 500;

    private final long recentNanos;

    /** What is so if the clocks are left alone: gives the estimate. */
    private final OffsetBounds likely;

    /** As {@code likely}, of the last moments only. */
    private final OffsetBounds recent;

    /** What is so even while a clock is being set: gives the uncertainty. */
    private final OffsetBounds certain;

    private final List<OffsetBounds> all;

    private long wayOutLimit = Long.MAX_VALUE;
    private long wayBackLimit = Long.MAX_VALUE;
    private boolean started;

    /** The latest hi taken in. */
    private long frontier;

    private boolean stepped;
    private long stepSeenAt;
    private long steps;

    /** What the offset is taken to be at some time, and how far off that may be, to both sides. */
    private record Offset(long low, long high, long lowest, long highest) {
        long middle() {
            return low + (high - low) / 2;
        }
    }

    /** One for a broker of an ordinary network. */
    public static BrokerClock ordinary() {
        return new BrokerClock(
                OneWayDelay.WINDOW.toNanos(), OneWayDelay.RECENT.toNanos(), DRIFT_PPM, SLEW_PPM);
    }

    /**
     * @param windowNanos how long a probe's bounds count, more than 0
     * @param recentNanos what counts as the last moments in {@link #wayOutGrowthNanos}, more than 0
     * @param driftPpm most that the two clocks drift apart when left alone, 0 to 100,000
     *     microseconds a second
     * @param slewPpm most that they do while one of them is being set gradually, {@code driftPpm}
     *     to 100,000
     * @throws IllegalArgumentException when one is outside its range
     */
    public BrokerClock(long windowNanos, long recentNanos, int driftPpm, int slewPpm) {
        if (windowNanos <= 0
                || recentNanos <= 0
                || driftPpm < 0
                || slewPpm < driftPpm
                || slewPpm > 100_000) {
            throw new IllegalArgumentException(
                    String.format(
                            "window %d ns, recent %d ns, drift %d ppm, slew %d ppm",
                            windowNanos, recentNanos, driftPpm, slewPpm));
        }
        this.recentNanos = recentNanos;
        this.likely = new OffsetBounds(windowNanos, driftPpm);
        this.recent = new OffsetBounds(recentNanos, driftPpm);
        this.certain = new OffsetBounds(windowNanos, slewPpm);
        this.all = List.of(likely, recent, certain);
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
        requireOrder(lo, hi);
        if (stepped && lo - stepSeenAt < 0) {
            return AppendEstimate.between(lo, hi);
        }
        frontier = started && hi - frontier < 0 ? frontier : hi;
        started = true;
        long low = logAppendMillis * MILLI - hi;
        long high = logAppendMillis * MILLI + MILLI - lo;
        for (OffsetBounds bounds : all) {
            bounds.advance(frontier);
        }
        boolean step = certain.contradict(lo, low, high);
        boolean slewed = likely.contradict(lo, low, high);
        if (step) {
            steps++;
            stepped = true;
            stepSeenAt = frontier;
            certain.clear();
        }
        if (step || slewed) {
            likely.clear();
            recent.clear();
        }
        for (OffsetBounds bounds : all) {
            bounds.add(lo, low, high);
        }
        return estimate(lo, hi, logAppendMillis, step || slewed);
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
        requireOrder(lo, hi);
        if (certain.isEmpty() || (stepped && lo - stepSeenAt < 0)) {
            return AppendEstimate.between(lo, hi);
        }
        return estimate(lo, hi, logAppendMillis, false);
    }

    private static void requireOrder(long lo, long hi) {
        if (hi - lo < 0) {
            throw new IllegalArgumentException("hi " + (lo - hi) + " ns before lo");
        }
    }

    private AppendEstimate estimate(long lo, long hi, long logAppendMillis, boolean restarted) {
        // The offset at T2, anywhere in [lo, hi]: take it at the worse end.
        Offset offset = offsetIn(lo, hi);
        long stamp = logAppendMillis * MILLI;
        long from = clamp(stamp - offset.high(), lo, hi);
        long to = clamp(stamp + MILLI - offset.low(), lo, hi);
        return new AppendEstimate(
                from + (to - from) / 2,
                clamp(stamp - offset.highest(), lo, hi),
                clamp(stamp + MILLI - offset.lowest(), lo, hi),
                restarted);
    }

    private Offset offsetIn(long lo, long hi) {
        long highest = Math.max(certain.highestAt(lo), certain.highestAt(hi));
        long lowest = Math.min(certain.lowestAt(lo), certain.lowestAt(hi));
        long high = Math.max(likely.highestAt(lo), likely.highestAt(hi));
        long low = Math.min(likely.lowestAt(lo), likely.lowestAt(hi));
        high = clamp(high, lowest, highest);
        low = clamp(low, lowest, highest);
        // The fastest way out is believed to be within its limit.
        if (wayOutLimit < high - low) {
            low = high - wayOutLimit;
        }
        if (wayBackLimit < high - low) {
            high = low + wayBackLimit;
        }
        return new Offset(low, high, lowest, highest);
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

    /**
     * Sets the longest that the fastest way back of the window is believed to take, from the append
     * to the delivery.
     *
     * @param nanos at least 0
     */
    public synchronized void limitWayBack(long nanos) {
        wayBackLimit = nanos;
    }

    /**
     * The offset's estimate: the broker's wall clock minus the canary's monotonic clock. To show it
     * as an offset between wall clocks, subtract the canary's wall clock minus its monotonic clock.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @return nanoseconds; empty before the first probe
     */
    public synchronized OptionalLong offsetNanos(long now) {
        return certain.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(offsetIn(now, now).middle());
    }

    /**
     * How far {@link #offsetNanos} can be off, whatever the way out took and even while a clock is
     * being set; grows with that allowance while no probe comes.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @return nanoseconds, at least 0; empty before the first probe
     */
    public synchronized OptionalLong uncertaintyNanos(long now) {
        if (certain.isEmpty()) {
            return OptionalLong.empty();
        }
        Offset offset = offsetIn(now, now);
        long middle = offset.middle();
        return OptionalLong.of(Math.max(offset.highest() - middle, middle - offset.lowest()));
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
        recent.advance(now);
        if (likely.isEmpty() || !recent.isWithin(recentNanos, now)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Math.max(0, recent.highestAt(now) - likely.highestAt(now)));
    }

    /** How many steps were seen. */
    public synchronized long steps() {
        return steps;
    }

    private static long clamp(long value, long from, long to) {
        if (value - from < 0) {
            return from;
        }
        return value - to > 0 ? to : value;
    }
}
