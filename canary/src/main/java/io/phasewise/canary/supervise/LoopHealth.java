/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the faults of one loop, and logs them once per change of state: the first fault with its
 * stack trace, another kind of fault, and the end of them. Running the loop is left to its caller.
 * Used by one thread.
 */
public final class LoopHealth {
    private static final Logger LOG = LoggerFactory.getLogger(LoopHealth.class);

    /** A loop is well again when it has run for this long without a fault. */
    static final Duration WELL_AFTER = Duration.ofMinutes(1);

    private final String name;
    private final Consumer<Throwable> counter;
    private final LongSupplier nanoClock;

    /** The kind of fault that was logged last; null while the loop is well. */
    private Class<?> failing;

    private long failedAt;

    /**
     * @param name of the loop, for the log
     * @param counter takes every fault; must not throw
     * @param nanoClock monotonic nanoseconds
     */
    public LoopHealth(String name, Consumer<Throwable> counter, LongSupplier nanoClock) {
        this.name = name;
        this.counter = counter;
        this.nanoClock = nanoClock;
    }

    /** A turn of the loop ended with a fault that nobody expected. */
    public void failed(Throwable fault) {
        counter.accept(fault);
        failedAt = nanoClock.getAsLong();
        if (failing != fault.getClass()) {
            failing = fault.getClass();
            LOG.error("{}: internal error, starting again", name, fault);
        }
    }

    /** A turn of the loop ended as it should. */
    public void succeeded() {
        if (failing != null && nanoClock.getAsLong() - failedAt > WELL_AFTER.toNanos()) {
            failing = null;
            LOG.info("{}: no internal error for {} s", name, WELL_AFTER.toSeconds());
        }
    }
}
