/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.progress;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Turns Ctrl-C, SIGTERM and SIGHUP into an interrupt of the thread that does the work, and lets it
 * clean up before the process ends. Cleaning up is left to that thread.
 */
public final class Interruption {

    private static final long CLEAN_UP_SECONDS = 120;

    private final Thread worker;
    private final CountDownLatch finished = new CountDownLatch(1);
    private volatile boolean requested;
    private volatile int status = 1;

    private Interruption(Thread worker) {
        this.worker = worker;
    }

    /** Interrupts the calling thread from now on when the process is asked to end. */
    public static Interruption install() {
        Interruption interruption = new Interruption(Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(new Thread(interruption::shutDown, "interruption"));
        return interruption;
    }

    /** Whether the process was asked to end. */
    public boolean requested() {
        return requested;
    }

    /**
     * Ends the process with that status, from 0 to 255. The worker's last call: it may return, and
     * has nothing left to do then.
     */
    public void finish(int status) {
        this.status = status;
        finished.countDown();
        if (!requested) {
            System.exit(status);
        }
    }

    private void shutDown() {
        requested = true;
        worker.interrupt();
        try {
            finished.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException givenUp) {
            Thread.currentThread().interrupt();
        }
        // Without this the status would be that of the signal, however well everything was stopped.
        Runtime.getRuntime().halt(status);
    }
}
