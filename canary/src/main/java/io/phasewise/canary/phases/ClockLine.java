/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.function.DoubleUnaryOperator;

/**
 * How far another clock is ahead of ours, from bounds at many instants: an offset and a drift, as a
 * straight line that keeps within all bounds (Moon, Skelly and Towsley, "Estimation and removal of
 * clock skew from network delay measurements", 1999, do it from one side). What every line within
 * the bounds says is certain; a bound that was tight a quarter of an hour ago still counts, so a
 * path that becomes slower one way only is not mistaken for a clock that moves.
 *
 * <p>Clocks do not drift quite evenly: old bounds are loosened by {@value #WANDER_PPM} ppm of their
 * age. When no line is left the clock was set or paced again: the older half of the bounds goes
 * until there is one.
 *
 * <p>Not safe for use by several threads.
 */
public final class ClockLine {

    /** Crystals change their pace by a few tenths of this within the window. */
    private static final double WANDER_PPM = 1;

    private static final double MOST_DRIFT = 500e-6;

    /** Two hosts disciplined by NTP drift apart by less, most of the time by far. */
    private static final double DISCIPLINED = 20e-6;

    private static final double WANDER = WANDER_PPM * 1e-6;
    private static final long WINDOW = BrokerClock.MEMORY.toNanos();
    private static final long BUCKET = 4_000_000_000L;

    /** Steps of a search: enough for a drift that is right within a nanosecond over the window. */
    private static final int STEPS = 45;

    /** Nanoseconds; a bound that narrows the offset by less is not worth the arithmetic. */
    private static final long WORTHWHILE = 10_000;

    /**
     * Nanoseconds after which the line is computed anew in any case, as old bounds have left the
     * window.
     */
    private static final long REFRESH = 10_000_000_000L;

    /** The tightest bounds of a few seconds. */
    private static final class Bucket {
        final long began;
        long lowAt;
        long low;
        long highAt;
        long high;

        Bucket(long began, long lowAt, long low, long highAt, long high) {
            this.began = began;
            this.lowAt = lowAt;
            this.low = low;
            this.highAt = highAt;
            this.high = high;
        }

        /**
         * Takes in other bounds where they are tighter, allowing for the drift between their
         * instants and these.
         */
        void narrow(long otherLowAt, long otherLow, long otherHighAt, long otherHigh, double drift) {
            if (otherLow - low > drift * (otherLowAt - lowAt)) {
                low = otherLow;
                lowAt = otherLowAt;
            }
            if (otherHigh - high < drift * (otherHighAt - highAt)) {
                high = otherHigh;
                highAt = otherHighAt;
            }
        }
    }

    /**
     * What the offset is at an instant, nanoseconds, at least and at most.
     *
     * @param low not above high
     */
    public record Offset(long low, long high) {
        /** The middle. */
        public long middle() {
            return low + (high - low) / 2;
        }

        /** How far the middle can be off. */
        public long uncertainty() {
            return (high - low + 1) / 2;
        }
    }

    private final double likelyDrift;
    private final Deque<Bucket> buckets = new ArrayDeque<>();

    /**
     * The instant of the solution. This is the offset then, and the drift, each at least and at
     * most.
     */
    private long solvedAt;

    private long base;
    private double low;
    private double high;
    private double leastDrift;
    private double mostDrift;

    /** A line that assumes nothing about the drift except that it is below 500 ppm. */
    public ClockLine() {
        this(MOST_DRIFT);
    }

    private ClockLine(double likelyDrift) {
        this.likelyDrift = likelyDrift;
        this.leastDrift = -likelyDrift;
        this.mostDrift = likelyDrift;
    }

    /**
     * A line for clocks that are disciplined most of the time: assumes a small drift for as long as
     * no bound contradicts that.
     */
    public static ClockLine disciplined() {
        return new ClockLine(DISCIPLINED);
    }

    /**
     * Takes in that the offset lay within bounds. Bounds that contradict each other are dropped.
     *
     * @param lowAt when the offset was at least {@code low}, nanoseconds of our clock
     * @param highAt when it was at most {@code high}; calls come roughly in the order of this
     */
    public void add(long lowAt, long low, long highAt, long high) {
        if (low - high > MOST_DRIFT / 2 * Math.abs(lowAt - highAt)) {
            return;
        }
        boolean tells = isEmpty()
                || highAt - solvedAt > REFRESH
                || low - at(lowAt).low > WORTHWHILE
                || at(highAt).high - high > WORTHWHILE;
        while (!buckets.isEmpty() && highAt - buckets.peekFirst().began > WINDOW) {
            buckets.removeFirst();
        }
        Bucket last = buckets.peekLast();
        if (last == null || highAt - last.began > BUCKET) {
            buckets.addLast(new Bucket(highAt, lowAt, low, highAt, high));
        } else {
            last.narrow(lowAt, low, highAt, high, (leastDrift + mostDrift) / 2);
        }
        while (tells && !solve(highAt, likelyDrift) && !solve(highAt, MOST_DRIFT)) {
            for (int i = (buckets.size() + 1) / 2; i > 0; i--) {
                buckets.removeFirst();
            }
            if (buckets.isEmpty()) {
                buckets.addLast(new Bucket(highAt, lowAt, low, highAt, high));
            }
        }
    }

    /** Since when all bounds agree; empty when nothing is known. */
    public OptionalLong since() {
        return isEmpty() ? OptionalLong.empty() : OptionalLong.of(buckets.peekFirst().began);
    }

    /** Whether nothing is known. */
    public boolean isEmpty() {
        return buckets.isEmpty();
    }

    /**
     * The offset at an instant.
     *
     * @throws IllegalStateException when nothing is known
     */
    public Offset at(long instant) {
        if (isEmpty()) {
            throw new IllegalStateException("no bounds");
        }
        double x = instant - solvedAt;
        double wander = Math.abs(x) * WANDER;
        return new Offset(
                base + (long) Math.floor(low + Math.min(leastDrift * x, mostDrift * x) - wander),
                base + (long) Math.ceil(high + Math.max(leastDrift * x, mostDrift * x) + wander));
    }

    /**
     * Finds the lines through all bounds: for each drift the offset at the instant is between a
     * convex and a concave function of it.
     *
     * @param limit of the drift, either way
     * @return whether there is one
     */
    private boolean solve(long at, double limit) {
        long origin = buckets.peekLast().low;
        DoubleUnaryOperator most = drift -> most(at, origin, drift);
        DoubleUnaryOperator least = drift -> least(at, origin, drift);
        DoubleUnaryOperator room = drift -> most.applyAsDouble(drift) - least.applyAsDouble(drift);
        double best = argMax(room, -limit, limit);
        if (room.applyAsDouble(best) < 0) {
            return false;
        }
        double from = border(room, best, -limit);
        double to = border(room, best, limit);
        solvedAt = at;
        base = origin;
        leastDrift = from;
        mostDrift = to;
        high = most.applyAsDouble(argMax(most, from, to));
        low = least.applyAsDouble(argMax(drift -> -least.applyAsDouble(drift), from, to));
        return true;
    }

    private double most(long at, long origin, double drift) {
        double most = Double.MAX_VALUE;
        for (Bucket each : buckets) {
            double x = each.highAt - at;
            most = Math.min(most, each.high - origin + WANDER * Math.abs(x) - drift * x);
        }
        return most;
    }

    private double least(long at, long origin, double drift) {
        double least = -Double.MAX_VALUE;
        for (Bucket each : buckets) {
            double x = each.lowAt - at;
            least = Math.max(least, each.low - origin - WANDER * Math.abs(x) - drift * x);
        }
        return least;
    }

    /** Where a concave function is greatest. */
    private static double argMax(DoubleUnaryOperator concave, double from, double to) {
        double left = from;
        double right = to;
        for (int i = 0; i < STEPS; i++) {
            double third = (right - left) / 3;
            if (concave.applyAsDouble(left + third) < concave.applyAsDouble(right - third)) {
                left += third;
            } else {
                right -= third;
            }
        }
        return (left + right) / 2;
    }

    /** How far one can go before a concave function becomes negative. */
    private static double border(DoubleUnaryOperator concave, double inside, double limit) {
        if (concave.applyAsDouble(limit) >= 0) {
            return limit;
        }
        double good = inside;
        double bad = limit;
        for (int i = 0; i < STEPS; i++) {
            double middle = (good + bad) / 2;
            if (concave.applyAsDouble(middle) >= 0) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }
}
