/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.watch;

import io.phasewise.canary.schedule.TimerSlack;
import io.phasewise.canary.supervise.LoopHealth;
import io.phasewise.canary.supervise.SupervisedLoop;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Measures how late a timer of one millisecond fires in this process: garbage collection, a starved
 * CPU, a suspended machine. Remembers the stalls for {@link Stalls}; which probes they held up is
 * left to others.
 */
public final class HiccupMeter {
    private static final long PERIOD_NANOS = 1_000_000;

    private final Stalls stalls;
    private final LongConsumer lateness;
    private final LongSupplier nanoClock;
    private final Thread thread;
    private volatile boolean stopped;

    /**
     * @param stalls told of each lateness
     * @param lateness takes every single one, nanoseconds
     * @param faults counts what is thrown; the thread goes on
     * @param nanoClock monotonic nanoseconds
     */
    public HiccupMeter(
            Stalls stalls,
            LongConsumer lateness,
            Consumer<Throwable> faults,
            LongSupplier nanoClock) {
        this.stalls = stalls;
        this.lateness = lateness;
        this.nanoClock = nanoClock;
        LoopHealth health = new LoopHealth("hiccups", faults, nanoClock);
        SupervisedLoop loop = new SupervisedLoop(health, () -> stopped, this::turn);
        this.thread =
                new Thread(
                        () -> {
                            TimerSlack.least();
                            loop.run();
                        },
                        "hiccups");
        this.thread.setDaemon(true);
        this.thread.setPriority(Thread.MAX_PRIORITY);
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    /** Ends the thread. */
    public void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    private void turn() {
        long due = nanoClock.getAsLong() + PERIOD_NANOS;
        stalls.expect(due);
        for (long left = PERIOD_NANOS; left > 0 && !stopped; left = due - nanoClock.getAsLong()) {
            LockSupport.parkNanos(this, left);
        }
        long now = nanoClock.getAsLong();
        stalls.fired(due, now);
        lateness.accept(Math.max(0, now - due));
    }
}
