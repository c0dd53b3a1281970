/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Maps one broker's wall clock to the canary's monotonic clock, from nothing but what the canary
 * sends: estimates theta, broker wall clock minus canary monotonic clock, as an interval that is
 * certain to hold it, and with it the instant T2 of each append.
 *
 * <p><b>What a record says.</b> It was appended after its request was handed over and before the
 * answer was there: lo &lt;= T2 &lt;= hi. The broker stamped the append with its LogAppendTime L
 * (KIP-32), the wall clock cut to the millisecond: at T2 the broker's clock stood in [L, L + 1 ms).
 * Hence theta lies in [L - hi, L + 1 ms - lo). All is integer nanoseconds; bounds are rounded
 * outwards. Kafka takes the stamp before it writes: a write that takes long comes after it.
 *
 * <p><b>What many say</b> is used twice. The estimate is the straight line that keeps within all
 * bounds of twenty minutes, offset and drift ({@link ClockLine}): so a queue that lasts for minutes
 * is not mistaken for a clock that moves. The stated uncertainty relies on no line: it is the
 * intersection of the intervals (Marzullo, "Maintaining the Time in a Distributed System", 1984),
 * each wider by {@value #SLEW_PPM} ppm of its age, as much as adjtime sets a clock by; and it
 * bounds the estimate.
 *
 * <p><b>The slow commit.</b> With acks=all the way back includes the commit, so where followers are
 * far away the lower end is low by their distance, and the middle would charge half of the commit
 * to the way out. Records with acks=1 ({@link #exchange}) have no commit on either way. Where there
 * are such, the fastest of their answers, which is small whatever the record is, is believed to
 * have taken no longer than the least round trip of a tiny request ({@link #limit}): the estimate
 * is at most half of that above the lower end. Where there are none, the fastest way out is
 * believed to have taken no longer than that, which is wrong for a large record on a narrow path.
 * The uncertainty relies on neither.
 *
 * <p><b>Steps.</b> When no offset explains all even with the wider allowance, the clock stepped. It
 * is counted, everything learnt is dropped, and the record that showed it stands on its own bounds.
 * Records dispatched before that moment may have been stamped by either clock; they stand on their
 * own bounds too and teach nothing. A clock that is being set contradicts the line alone, which
 * then forgets as much of the past as it has to.
 *
 * <p><b>Guarantees.</b> For correct bounds and clocks set no faster than the allowance: theta and
 * T2 lie inside their intervals. Whatever the clocks do, T2 lies in [lo, hi]: no step or slew makes
 * a phase negative or longer than the record's own round trip. A step that is too small to be
 * contradicted goes unseen; the error is then below the step and below half of hi - lo.
 *
 * <p><b>How good.</b> An upper bound is as good as (T2 - lo) + (the rest of the millisecond), a
 * lower one as (hi - T2) + (what has passed of it). One record's T2 adds the millisecond: half of
 * it, or half of hi - lo if that is less. Over records that do not beat with the millisecond
 * (Poisson arrivals do not) most of that averages out. What stays is a bias towards the middle of
 * [lo, hi], for the ends cut what lies beyond, of about 0.1 ms; and what nobody can see from one
 * side: half the difference between the fastest way out and the fastest way back. Where the commit
 * takes ten milliseconds and one record a second tells the short way, the bias is up to 0.6 ms,
 * towards the acknowledgement. The stated uncertainty covers all of it.
 *
 * <p>Safe for use by several threads.
 */
public final class BrokerClock {

    private static final long MILLI = 1_000_000L;

    /**
     * The most that adjtime sets a clock by, on Linux and as POSIX systems took it over. Chrony's
     * default is far more; bounds that allowed for it would say nothing after some seconds.
     */
    private static final int SLEW_PPM = 500;

    private static final long RECENT = OneWayDelay.RECENT.toNanos();
    private static final int CAPACITY = 4096;

    /** The offset if both clocks run at an even pace: gives the estimate. */
    private ClockLine line = ClockLine.disciplined();

    /** Bounds that hold even while a clock is being set: give the uncertainty. */
    private final OffsetBounds certain = new OffsetBounds(MEMORY.toNanos(), SLEW_PPM);

    /** By how much the upper bounds of the last moments exceed the line's. */
    private final SlidingMinimum excess = new SlidingMinimum(RECENT, CAPACITY);

    private long limit = Long.MAX_VALUE;
    private boolean started;

    /** The latest hi taken in. */
    private long frontier;

    private boolean exchanged;
    private long exchangedAt;
    private boolean stepped;
    private long stepSeenAt;
    private long steps;

    /** For how long bounds count. */
    static final Duration MEMORY = Duration.ofMinutes(20);

    /** What the offset is taken to be at some time, and how far off that may be, to both sides. */
    private record Offset(long low, long high, long lowest, long highest) {
        long middle() {
            return low + (high - low) / 2;
        }
    }

    /**
     * Learns from one appended record and says when it was appended.
     *
     * @param lo earliest instant of the append, nanoseconds on the canary's monotonic clock: when the
     *     request that was appended was handed to the network client
     * @param hi latest instant, not before lo: the acknowledgement, or the delivery where that is
     *     earlier or where acks=0. Narrowing both by the one-way delay leaves the middle where it
     *     is and states a smaller uncertainty, at the price that an asymmetric path is no longer
     *     covered.
     * @param logAppendMillis the record's LogAppendTime
     */
    public synchronized AppendEstimate observe(long lo, long hi, long logAppendMillis) {
        if (isBeforeStep(lo)) {
            return AppendEstimate.between(lo, hi);
        }
        frontier = started ? Instants.later(hi, frontier) : hi;
        started = true;
        long low = logAppendMillis * MILLI - hi;
        long high = logAppendMillis * MILLI + MILLI - lo;
        certain.advance(frontier);
        if (certain.contradict(lo, low, high)) {
            steps++;
            stepped = true;
            stepSeenAt = frontier;
            certain.clear();
            excess.clear();
            exchanged = false;
            line = ClockLine.disciplined();
        }
        certain.add(lo, low, high);
        line.add(hi, low, lo, high);
        excess.add(lo, high - line.at(lo).high());
        excess.expire(frontier);
        return estimate(lo, hi, logAppendMillis);
    }

    /**
     * As {@link #observe}, of a record that was answered as soon as it was appended (acks=1).
     *
     * @param lo as for {@link #observe}
     * @param hi as for {@link #observe}
     * @param logAppendMillis the record's LogAppendTime
     */
    public synchronized AppendEstimate exchange(long lo, long hi, long logAppendMillis) {
        AppendEstimate estimate = observe(lo, hi, logAppendMillis);
        if (!isBeforeStep(lo)) {
            exchanged = true;
            exchangedAt = frontier;
        }
        return estimate;
    }

    private boolean isBeforeStep(long lo) {
        return stepped && lo - stepSeenAt < 0;
    }

    /**
     * Says when a probe was appended, without learning from it.
     *
     * @param lo as for {@link #observe}
     * @param hi as for {@link #observe}
     * @param logAppendMillis the record's LogAppendTime
     */
    public synchronized AppendEstimate locate(long lo, long hi, long logAppendMillis) {
        if (certain.isEmpty() || isBeforeStep(lo)) {
            return AppendEstimate.between(lo, hi);
        }
        return estimate(lo, hi, logAppendMillis);
    }

    private AppendEstimate estimate(long lo, long hi, long logAppendMillis) {
        // The offset at T2, anywhere in [lo, hi]: take it at the worse end.
        Offset offset = offsetIn(lo, hi);
        long stamp = logAppendMillis * MILLI;
        long from = Instants.clamp(stamp - offset.high(), lo, hi);
        long to = Instants.clamp(stamp + MILLI - offset.low(), lo, hi);
        return new AppendEstimate(
                from + (to - from) / 2,
                Instants.clamp(stamp - offset.highest(), lo, hi),
                Instants.clamp(stamp + MILLI - offset.lowest(), lo, hi));
    }

    private Offset offsetIn(long lo, long hi) {
        long highest = Math.max(certain.highestAt(lo), certain.highestAt(hi));
        long lowest = Math.min(certain.lowestAt(lo), certain.lowestAt(hi));
        ClockLine.Offset first = line.at(lo);
        ClockLine.Offset last = line.at(hi);
        long high = Instants.clamp(Math.max(first.high(), last.high()), lowest, highest);
        long low = Instants.clamp(Math.min(first.low(), last.low()), lowest, highest);
        if (limit < high - low) {
            if (isBackShort()) {
                high = low + limit;
            } else {
                low = high - limit;
            }
        }
        return new Offset(low, high, lowest, highest);
    }

    private boolean isBackShort() {
        return exchanged && frontier - exchangedAt <= MEMORY.toNanos();
    }

    /**
     * Sets how long the fastest way that has no commit on it is believed to take at most: the least
     * round trip of a tiny request.
     *
     * @param nanos at least 0
     */
    public synchronized void limit(long nanos) {
        limit = nanos;
    }

    /** Since when it knows the broker's clock; empty before the first record. */
    public synchronized OptionalLong knownSince() {
        return line.since();
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
     * being set; grows by the allowance for drift while no probe comes.
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
     * By how much the fastest way out of the last moments exceeds the fastest of what is known: how
     * much slower the path to the broker has become, including queues that every request meets.
     *
     * <p>The line's upper end is as good as the fastest way out was; by how much the bounds of the
     * last moments exceed it is the fastest way's growth. Too large by at most the rest of the
     * millisecond in the records of the last moments: the more they are, the less. Too small by
     * what the line has become less certain since.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @return nanoseconds, at least 0; empty where no record of the last moments shows it
     */
    public synchronized OptionalLong wayOutGrowthNanos(long now) {
        excess.expire(now);
        if (excess.isEmpty() || excess.age(now) > RECENT) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Math.max(0, excess.least()));
    }

    /** How many steps were seen. */
    public synchronized long steps() {
        return steps;
    }
}
