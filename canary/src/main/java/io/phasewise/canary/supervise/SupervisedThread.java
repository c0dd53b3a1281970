/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A thread that a {@link Supervisor} keeps going, from outside; thread-safe. */
public final class SupervisedThread {
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private boolean punctual;

    SupervisedThread(String name, LoopHealth health, SupervisedLoop.Turn turn, Runnable end) {
        SupervisedLoop loop = new SupervisedLoop(health, this::isStopping, turn);
        thread = Supervisor.daemon(() -> run(loop, end), name);
    }

    private void run(SupervisedLoop loop, Runnable end) {
        if (punctual) {
            TimerSlack.least();
        }
        try {
            loop.run();
        } finally {
            end.run();
        }
    }

    /** Has it wake from a pause as punctually as the system can; before it is started. */
    SupervisedThread punctual() {
        punctual = true;
        thread.setPriority(Thread.MAX_PRIORITY);
        return this;
    }

    /** Starts it. */
    public void start() {
        thread.start();
    }

    /** Whether it was told to stop. */
    public boolean isStopping() {
        return stop.getCount() == 0;
    }

    /**
     * Waits, on the thread itself, until it is told to stop.
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
