/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that a {@link Supervisor} keeps going: turn after turn until it is asked to stop. A turn
 * that throws is counted and followed by another one after a pause, so that no fault ends a thread
 * unseen. What a turn does is left to the caller. Thread-safe.
 */
public final class SupervisedThread {
    private static final Duration PAUSE_AT_LEAST = Duration.ofMillis(10);
    private static final Duration PAUSE_AT_MOST = Duration.ofSeconds(1);

    /** What a thread does again and again. */
    @FunctionalInterface
    public interface Turn {
        /**
         * Does what is to be done now.
         *
         * @throws InterruptedException ends the thread
         */
        void run() throws InterruptedException;
    }

    private final CountDownLatch stop = new CountDownLatch(1);
    private final LoopHealth health;
    private final Turn turn;
    private final Thread thread;
    private boolean punctual;

    SupervisedThread(String name, LoopHealth health, Turn turn, Runnable end) {
        this.health = health;
        this.turn = turn;
        thread = Supervisor.daemon(() -> run(end), name);
    }

    private void run(Runnable end) {
        if (punctual) {
            TimerSlack.least();
        }
        try {
            loop();
        } finally {
            end.run();
        }
    }

    private void loop() {
        int failures = 0;
        while (!isStopping()) {
            try {
                turn.run();
                health.succeeded();
                failures = 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                report(e);
                LockSupport.parkNanos(this, pauseNanos(failures++)); // stop() ends it
            }
        }
    }

    private void report(Throwable fault) {
        try {
            health.failed(fault);
        } catch (RuntimeException | Error e) {
            fault.addSuppressed(e); // out of memory, say: the thread goes on all the same
        }
    }

    /** Doubles from 10 ms to 1 s. */
    private static long pauseNanos(int failures) {
        return Math.min(PAUSE_AT_MOST.toNanos(), PAUSE_AT_LEAST.toNanos() << Math.min(failures, 10));
    }

    /**
     * Has it wake from a pause as punctually as the system can; to be called before it is started.
     */
    SupervisedThread punctual() {
        punctual = true;
        thread.setPriority(Thread.MAX_PRIORITY);
        return this;
    }

    /** Starts it. */
    public void start() {
        thread.start();
    }

    /** Whether it was asked to stop. */
    public boolean isStopping() {
        return stop.getCount() == 0;
    }

    /**
     * Waits, on the thread itself, until it is asked to stop.
     *
     * @param atMost returns after this all the same
     */
    public void pause(Duration atMost) throws InterruptedException {
        stop.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends the thread's parking. */
    public void wake() {
        LockSupport.unpark(thread);
    }

    /** Lets no turn begin any more; does not wait. */
    public void stop() {
        stop.countDown();
        wake();
    }

    /** As {@link #stop}, and interrupts the turn that is under way. */
    public void interrupt() {
        stop();
        thread.interrupt();
    }

    /**
     * Waits until the thread has ended.
     *
     * @param atMost returns after this all the same
     */
    public void join(Duration atMost) throws InterruptedException {
        thread.join(Math.max(1, atMost.toMillis()));
    }
}
