/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.exporter.instrument.Hooks;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The time that a hook takes from the broker's threads, and the end of the hook that takes more
 * than a hundredth of one processor for two minutes: a JVM that has just begun runs code slowly.
 *
 * <p>What counts is elapsed time, because asking a thread for its processor time costs more than a
 * hook does. On a busy machine a thread may lose the processor inside a hook, for as long as other
 * threads take. So no call counts for more than a millisecond. A hook that is itself that slow
 * still exceeds its budget at twenty calls a second.
 */
final class HookBudget {

    private static final double MOST_OF_A_PROCESSOR = 0.01;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int WINDOWS = 12;
    private static final long LONGEST_CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final String hook;
    private final LongAdder spent = new LongAdder();
    private boolean started;
    private long began;
    private long spentBefore;
    private int exceeded;

    HookBudget(String hook) {
        this.hook = hook;
    }

    /** Adds the time of a call in nanoseconds. */
    void spend(long nanos) {
        spend(1, nanos);
    }

    /** Adds the time of so many calls, of which one was timed. */
    void spend(int calls, long nanosEach) {
        spent.add(calls * Math.min(nanosEach, LONGEST_CALL_NANOS));
    }

    String hook() {
        return hook;
    }

    /** What all calls took so far. */
    double seconds() {
        return spent.sum() / 1e9;
    }

    /** To be called by one thread, several times a second. */
    void check(long now) {
        if (!started || now - began >= WINDOW_NANOS) {
            long total = spent.sum();
            double share = (total - spentBefore) / (double) (now - began);
            if (started && share > MOST_OF_A_PROCESSOR) {
                exceeded++;
            } else {
                exceeded = 0;
            }
            if (exceeded == WINDOWS) {
                Hooks.failed(
                        new IllegalStateException(String.format(
                                "it took %.1f %% of a processor, and may take %.0f %%",
                                100 * share, 100 * MOST_OF_A_PROCESSOR)),
                        hook);
            }
            started = true;
            began = now;
            spentBefore = total;
        }
    }
}
