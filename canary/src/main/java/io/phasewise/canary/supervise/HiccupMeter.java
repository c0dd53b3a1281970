/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Measures how late a timer of one millisecond fires in this process: garbage collection, a starved
 * CPU, a suspended machine. Tells {@link Stalls} of each delay; which probes were held up is left
 * to others.
 */
public final class HiccupMeter {
    private static final long PERIOD_NANOS = 1_000_000;

    private final Stalls stalls;
    private final LongConsumer lateness;
    private final LongSupplier nanoClock;
    private final SupervisedThread thread;

    /**
     * @param supervisor starts the thread
     * @param stalls called with each lateness
     * @param lateness takes every single one, nanoseconds
     * @param faults counts what is thrown; the thread goes on
     * @param nanoClock monotonic nanoseconds
     */
    public HiccupMeter(
            Supervisor supervisor,
            Stalls stalls,
            LongConsumer lateness,
            Consumer<Throwable> faults,
            LongSupplier nanoClock) {
        this.stalls = stalls;
        this.lateness = lateness;
        this.nanoClock = nanoClock;
        this.thread = supervisor.punctualLoop("hiccups", faults, this::turn);
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    /** Ends the thread. */
    public void stop() {
        thread.stop();
    }

    private void turn() {
        long due = nanoClock.getAsLong() + PERIOD_NANOS;
        stalls.expect(due);
        long left = PERIOD_NANOS;
        while (left > 0 && !thread.isStopping()) {
            LockSupport.parkNanos(this, left);
            left = due - nanoClock.getAsLong();
        }
        long now = nanoClock.getAsLong();
        stalls.fired(due, now);
        lateness.accept(Math.max(0, now - due));
    }
}
