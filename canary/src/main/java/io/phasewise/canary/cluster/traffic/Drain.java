/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Waits until no probe is on its way any more; stopping the sending before is left to the caller.
 */
public final class Drain {
    private static final Duration LOOK = Duration.ofMillis(10);

    private final LongSupplier inFlight;
    private final LongSupplier nanoClock;

    /**
     * @param inFlight how many probes are on their way
     * @param nanoClock monotonic nanoseconds
     */
    public Drain(LongSupplier inFlight, LongSupplier nanoClock) {
        this.inFlight = inFlight;
        this.nanoClock = nanoClock;
    }

    /** Waits, but not longer than {@code atMost}; an interrupt ends the wait and stays set. */
    public void await(Duration atMost) {
        long end = nanoClock.getAsLong() + atMost.toNanos();
        try {
            while (inFlight.getAsLong() > 0 && nanoClock.getAsLong() - end < 0) {
                TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
