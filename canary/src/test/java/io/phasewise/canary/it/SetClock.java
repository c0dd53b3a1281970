/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.fault.AdjustableClock;
import java.time.Duration;
import java.util.Map;

/** A broker's false clock that remembers what it was set to. Thread-safe. */
final class SetClock {
    private final AdjustableClock clock;
    private final double ppm;
    private final long startedNanos = System.nanoTime();

    private double seconds;

    /**
     * @param clock what the broker goes by
     * @param seconds how far ahead it is to be
     * @param ppm how fast, once {@link #drift} is called every now and then
     */
    SetClock(AdjustableClock clock, double seconds, double ppm) {
        this.clock = clock;
        this.ppm = ppm;
        set(seconds);
    }

    Map<String, String> environment() {
        return clock.environment();
    }

    /** Steps. */
    synchronized void set(double ahead) {
        seconds = ahead;
        clock.set(Duration.ofNanos(ahead()));
    }

    synchronized void drift() {
        if (ppm != 0) {
            set(seconds);
        }
    }

    /** Nanoseconds ahead, as set last. */
    synchronized long ahead() {
        return (long) (seconds * 1e9 + (System.nanoTime() - startedNanos) * ppm / 1e6);
    }
}
