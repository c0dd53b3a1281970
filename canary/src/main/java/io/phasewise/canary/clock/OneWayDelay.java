/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.clock;

/**
 * Estimates the network's delay from the canary to one broker, and back, as half the smallest round
 * trip of a tiny request over a sliding window. Making the round trips is left to the caller.
 *
 * <p>The smallest is the one that met the fewest queues (Cristian, "Probabilistic clock
 * synchronization", Distributed Computing 3, 1989; NTP's clock filter, RFC 5905 section 10, picks
 * by least delay for the same reason). Error: with way out a, way back b and the broker's least
 * service time s the estimate is (a + b + s) / 2, so it is off by at most |a - b| / 2 + s / 2. The
 * asymmetry cannot be seen from one side; it never exceeds half the smallest round trip.
 *
 * <p>Safe for use by several threads. O(1) amortised, at most {@value #CAPACITY} samples kept.
 */
public final class OneWayDelay {

    private static final int CAPACITY = 256;

    private final long windowNanos;
    private final SlidingMinimum roundTrips;

    /**
     * @param windowNanos age at which a round trip stops to count, more than 0
     */
    public OneWayDelay(long windowNanos) {
        if (windowNanos <= 0) {
            throw new IllegalArgumentException("window " + windowNanos + " ns");
        }
        this.windowNanos = windowNanos;
        this.roundTrips = new SlidingMinimum(windowNanos, CAPACITY);
    }

    /**
     * Takes in one round trip.
     *
     * @param now nanoseconds on the canary's monotonic clock, not before that of the call before
     * @param roundTripNanos at least 0
     */
    public synchronized void observe(long now, long roundTripNanos) {
        if (roundTripNanos < 0) {
            throw new IllegalArgumentException("round trip " + roundTripNanos + " ns");
        }
        roundTrips.expire(now);
        if (!roundTrips.isEmpty() && roundTrips.age(now) > windowNanos) {
            // Kept only for want of a newer one, which is here.
            roundTrips.clear();
        }
        roundTrips.add(now, roundTripNanos);
    }

    /**
     * The estimate.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @return nanoseconds, at least 0; 0 as long as nothing was ever observed, and the last
     *     estimate while a broker does not answer
     */
    public synchronized long nanos(long now) {
        roundTrips.expire(now);
        return roundTrips.isEmpty() ? 0 : roundTrips.least() / 2;
    }

    /** Whether a round trip within the window backs the estimate. */
    public synchronized boolean known(long now) {
        roundTrips.expire(now);
        return !roundTrips.isEmpty() && roundTrips.age(now) <= windowNanos;
    }
}
