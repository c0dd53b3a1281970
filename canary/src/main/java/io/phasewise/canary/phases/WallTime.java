/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Dates instants of the monotonic clock by the wall clock. A thread that waits for a processor
 * between two readings would date an instant too late by as much, so the wall clock is read between
 * two readings of the other, again when these lie far apart.
 */
public final class WallTime {
    private static final long NEAR = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int TRIES = 5;

    private final InstantSource wallClock;
    private final LongSupplier nanoClock;

    /**
     * @param wallClock the time of day
     * @param nanoClock monotonic nanoseconds
     */
    public WallTime(InstantSource wallClock, LongSupplier nanoClock) {
        this.wallClock = wallClock;
        this.nanoClock = nanoClock;
    }

    /**
     * The time of day at an instant, as the wall clock is now.
     *
     * @param nanos of the monotonic clock
     */
    public Instant at(long nanos) {
        long apart = Long.MAX_VALUE;
        Instant date = null;
        for (int i = 0; i < TRIES && apart > NEAR; i++) {
            long before = nanoClock.getAsLong();
            Instant wall = wallClock.instant();
            long between = nanoClock.getAsLong() - before;
            if (between < apart) {
                apart = between;
                date = wall.minusNanos(before + between / 2 - nanos);
            }
        }
        return date;
    }
}
