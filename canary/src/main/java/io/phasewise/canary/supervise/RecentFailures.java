/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Remembers the latest failure of one client for a while, so that failures and successes that
 * alternate read as one problem, not as a storm; reporting it is left to {@link ProblemBoard}.
 * Thread-safe.
 */
public final class RecentFailures {
    private final long memoryNanos;
    private final LongSupplier nanoClock;
    private String latest;
    private long atNanos;

    /**
     * @param memory how long a failure is remembered
     * @param nanoClock monotonic nanoseconds
     */
    public RecentFailures(Duration memory, LongSupplier nanoClock) {
        this.memoryNanos = memory.toNanos();
        this.nanoClock = nanoClock;
    }

    /**
     * Notes a failure.
     *
     * @param message what failed
     */
    public synchronized void add(String message) {
        latest = message;
        atNanos = nanoClock.getAsLong();
    }

    /** The latest failure, while remembered. */
    public synchronized Optional<String> latest() {
        if (latest != null && nanoClock.getAsLong() - atNanos > memoryNanos) {
            latest = null;
        }
        return Optional.ofNullable(latest);
    }
}
