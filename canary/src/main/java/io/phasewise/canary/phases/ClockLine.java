/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.DoubleUnaryOperator;

/**
 * How far another clock is ahead of ours, from bounds at many instants: an offset and a drift, as a
 * straight line that keeps within all bounds (Moon, Skelly and Towsley, "Estimation and removal of
 * clock skew from network delay measurements", 1999, do it from one side). What every line within
 * the bounds says is certain; a bound that was tight a quarter of an hour ago still counts, so a
 * path that becomes slower one way only is told from a clock that moves.
 *
 * <p>Clocks do not drift quite evenly: old bounds are loosened by {@value #WANDER_PPM} ppm of their
 * age. When no line is left the clock was set or paced anew: the older half of the bounds goes
 * until there is one.
 *
 * <p>Not safe for use by several threads.
 */
public final class ClockLine {

    /** Crystals change their pace by a few tenths of this within the window. */
    private static final double WANDER_PPM = 1;

    private static final double MOST_DRIFT = 500e-6;
    private static final double WANDER = WANDER_PPM * 1e-6;
    private static final long WINDOW = 20L * 60 * 1_000_000_000;
    private static final long BUCKET = 4_000_000_000L;
    private static final int STEPS = 60;

    /** What is gained by less than this is not worth the arithmetic. */
    private static final long WORTHWHILE = 1_000;

    private static final long REFRESH = 1_000_000_000L;

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

    private final Deque<Bucket> buckets = new ArrayDeque<>();

    /** The solution is that of this instant: offset and drift, at least and at most. */
    private long solvedAt;

    private long base;
    private double low;
    private double high;
    private double leastDrift = -MOST_DRIFT;
    private double mostDrift = MOST_DRIFT;

    /**
     * Takes in that the offset lay within bounds.
     *
     * @param lowAt when it was at least that, nanoseconds of our clock
     * @param highAt when it was at most that; exchanges come about in its order
     * @return whether older bounds had to go, as no line kept within them and these
     */
    public boolean add(long lowAt, long low, long highAt, long high) {
        boolean tells = isEmpty() || highAt - solvedAt > REFRESH;
        if (!tells) {
            tells = low - at(lowAt).low > WORTHWHILE || at(highAt).high - high > WORTHWHILE;
        }
        while (!buckets.isEmpty() && highAt - buckets.peekFirst().began > WINDOW) {
            buckets.removeFirst();
        }
        Bucket last = buckets.peekLast();
        if (last == null || highAt - last.began > BUCKET) {
            buckets.addLast(new Bucket(highAt, lowAt, low, highAt, high));
        } else {
            double drift = (leastDrift + mostDrift) / 2;
            if (low - last.low > drift * (lowAt - last.lowAt)) {
                last.low = low;
                last.lowAt = lowAt;
            }
            if (high - last.high < drift * (highAt - last.highAt)) {
                last.high = high;
                last.highAt = highAt;
            }
        }
        boolean contradicted = false;
        while (tells && !solve(highAt)) {
            contradicted = true;
            for (int i = (buckets.size() + 1) / 2; i > 0; i--) {
                buckets.removeFirst();
            }
            if (buckets.isEmpty()) {
                buckets.addLast(new Bucket(highAt, lowAt, low, highAt, high));
            }
        }
        return contradicted;
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
     * @return whether there is one
     */
    private boolean solve(long at) {
        long origin = buckets.peekLast().low;
        DoubleUnaryOperator most = drift -> most(at, origin, drift);
        DoubleUnaryOperator least = drift -> least(at, origin, drift);
        DoubleUnaryOperator room = drift -> most.applyAsDouble(drift) - least.applyAsDouble(drift);
        double best = argMax(room, -MOST_DRIFT, MOST_DRIFT);
        if (room.applyAsDouble(best) < 0) {
            return false;
        }
        double from = border(room, best, -MOST_DRIFT);
        double to = border(room, best, MOST_DRIFT);
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
