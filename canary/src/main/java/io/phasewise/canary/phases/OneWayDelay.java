/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Estimates the network's delay from one broker back to the canary from the round trips of a tiny
 * request. Making the round trips is left to the caller.
 *
 * <p><b>At rest</b> it is half the least round trip of the window, which met the fewest queues
 * (Cristian, "Probabilistic clock synchronization", Distributed Computing 3, 1989; NTP's clock
 * filter, RFC 5905 section 10, picks by least delay for the same reason). With way out a, way back
 * b and the broker's least service time s that is (a + b + s) / 2, off by at most |a - b| / 2 + s /
 * 2. The asymmetry cannot be seen from one side; it never exceeds half the least round trip.
 *
 * <p><b>When the path has become slower</b>, the least round trip of the last moments exceeds that
 * of the window. The last moments have at least {@value #ENOUGH} round trips, however long ago the
 * first of them was: the least of one or two is mostly more than the path takes. Which way the
 * excess belongs to is told by the broker's clock, which was read by probes before the change
 * ({@link BrokerClock#wayOutGrowthNanos}): what the way out has not grown by, the way back has.
 * Where the clock does not know, each gets half. When the window has forgotten the faster path,
 * nothing tells the ways apart any more and it is half again.
 *
 * <p>Safe for use by several threads. O(1) amortised, at most {@value #CAPACITY} samples kept.
 */
public final class OneWayDelay {

    /** A broker that has not answered for so long may be anywhere. */
    private static final long STALE = Duration.ofSeconds(60).toNanos();

    /** Enough for some probes and round trips at the usual rates, and soon enough for an alert. */
    static final Duration RECENT = Duration.ofSeconds(2);

    private static final int CAPACITY = 1024;
    private static final int ENOUGH = 5;

    private final long windowNanos;
    private final SlidingMinimum roundTrips;
    private final SlidingMinimum recent;

    /** The last few round trips, in no order. */
    private final long[] last = new long[ENOUGH];

    /** How many there were since the window was last emptied. */
    private long count;

    private long lastAt;

    private Total total = new Total(0, 0);

    /**
     * All round trips, of which lost packets lengthen some.
     *
     * @param trips how many there were
     * @param nanos how long they took together
     */
    public record Total(long trips, long nanos) {}

    /** An estimate for a broker on an ordinary network. */
    public static OneWayDelay ordinary() {
        return new OneWayDelay(BrokerClock.MEMORY.toNanos(), RECENT.toNanos());
    }

    /**
     * @param windowNanos age at which a round trip stops to count, more than 0
     * @param recentNanos how long a rise takes to be believed, more than 0: the least round trip of
     *     that time is what the path takes now
     */
    OneWayDelay(long windowNanos, long recentNanos) {
        this.windowNanos = windowNanos;
        this.roundTrips = new SlidingMinimum(windowNanos, CAPACITY);
        this.recent = new SlidingMinimum(recentNanos, CAPACITY);
    }

    /**
     * Takes in one round trip.
     *
     * @param now nanoseconds on the canary's monotonic clock, not before that of the call before
     * @param roundTripNanos at least 0
     */
    public synchronized void observe(long now, long roundTripNanos) {
        roundTrips.expire(now);
        recent.expire(now);
        if (!roundTrips.isEmpty() && roundTrips.age(now) > windowNanos) {
            // It was kept only until there is a newer one, which is here now.
            roundTrips.clear();
            count = 0;
        }
        lastAt = now;
        total = new Total(total.trips() + 1, total.nanos() + roundTripNanos);
        last[(int) (count++ % ENOUGH)] = roundTripNanos;
        roundTrips.add(now, roundTripNanos);
        recent.add(now, roundTripNanos);
        recent.expire(now);
    }

    /**
     * Forgets what the path took before an instant: what the broker's clock said of its ways then
     * is lost.
     *
     * @param instant nanoseconds on the canary's monotonic clock
     */
    public synchronized void forgetBefore(long instant) {
        roundTrips.forgetBefore(instant);
    }

    /**
     * The delay of the way back.
     *
     * @param now nanoseconds on the canary's monotonic clock
     * @param wayOutGrowthNanos by how much the fastest way out of the last moments exceeds that of
     *     the window; empty where that is not known
     * @return nanoseconds, at least 0; 0 as long as nothing was ever observed, and the last
     *     estimate while a broker does not answer
     */
    public synchronized long nanos(long now, OptionalLong wayOutGrowthNanos) {
        roundTrips.expire(now);
        recent.expire(now);
        if (roundTrips.isEmpty()) {
            return 0;
        }
        long growth = Math.max(0, recentLeast() - roundTrips.least());
        long out = Math.max(0, Math.min(growth, wayOutGrowthNanos.orElse(growth / 2)));
        return roundTrips.least() / 2 + growth - out;
    }

    /** The least of the last moments, and of the last few round trips where those had fewer. */
    private long recentLeast() {
        long least = recent.isEmpty() ? Long.MAX_VALUE : recent.least();
        for (int i = 0; i < Math.min(count, ENOUGH); i++) {
            least = Math.min(least, last[i]);
        }
        return least;
    }

    /** The least round trip of the last moments, nanoseconds; empty while the broker is silent. */
    public synchronized OptionalLong recentRoundTripNanos(long now) {
        recent.expire(now);
        return known(now) ? OptionalLong.of(recentLeast()) : OptionalLong.empty();
    }

    /** All round trips since the start. */
    public synchronized Total total() {
        return total;
    }

    /** The least round trip of the window, nanoseconds; empty as long as nothing was observed. */
    public synchronized OptionalLong leastRoundTripNanos(long now) {
        roundTrips.expire(now);
        return roundTrips.isEmpty() ? OptionalLong.empty() : OptionalLong.of(roundTrips.least());
    }

    /** Whether the broker answered lately, so that the estimate stands for the path as it is. */
    public synchronized boolean known(long now) {
        return count > 0 && now - lastAt <= Math.min(STALE, windowNanos);
    }
}
