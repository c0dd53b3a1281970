/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * What a thread of the canary runs: turn after turn until it is told to stop. A turn that throws is
 * counted and followed by another one after a pause, so that no fault ends a thread unseen. What a
 * turn does is left to the caller.
 */
public final class SupervisedLoop implements Runnable {
    private static final Duration PAUSE_AT_LEAST = Duration.ofMillis(10);
    private static final Duration PAUSE_AT_MOST = Duration.ofSeconds(1);

    /** One turn of a loop. */
    @FunctionalInterface
    public interface Turn {
        /**
         * Does what is to be done now.
         *
         * @throws InterruptedException ends the loop
         */
        void run() throws InterruptedException;
    }

    private final LoopHealth health;
    private final BooleanSupplier stopped;
    private final Turn turn;

    /**
     * @param health takes the faults
     * @param stopped asked before every turn
     * @param turn what to do
     */
    public SupervisedLoop(LoopHealth health, BooleanSupplier stopped, Turn turn) {
        this.health = health;
        this.stopped = stopped;
        this.turn = turn;
    }

    /** Returns when told to stop or interrupted; unparking the thread shortens a pause. */
    @Override
    public void run() {
        int failures = 0;
        while (!stopped.getAsBoolean()) {
            try {
                turn.run();
                health.succeeded();
                failures = 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                tell(e);
                LockSupport.parkNanos(this, pauseNanos(failures++));
            }
        }
    }

    private void tell(Throwable fault) {
        try {
            health.failed(fault);
        } catch (RuntimeException | Error e) {
            fault.addSuppressed(e); // out of memory, say: the thread goes on all the same
        }
    }

    /** Doubles from 10 ms to 1 s. */
    private static long pauseNanos(int failures) {
        return Math.min(
                PAUSE_AT_MOST.toNanos(), PAUSE_AT_LEAST.toNanos() << Math.min(failures, 10));
    }
}
