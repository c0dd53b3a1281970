/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Something that is paused now and then, and remembers when it really did, for a timer fires late
 * on a busy machine; what is paused is the caller's.
 */
final class Stall {
    /** Does what stops or continues something. */
    interface Switch {
        void flip() throws Exception;
    }

    /** Waits until something that was told to go on does so. */
    interface Resumption {
        /** When it did, monotonic nanoseconds. */
        long await() throws Exception;
    }

    /** One standstill, monotonic nanoseconds. */
    record Interval(long from, long to) {}

    private final Switch off;
    private final Resumption on;
    private final List<Interval> intervals = new ArrayList<>();
    private boolean stands;
    private long since;

    /** Of something that goes on at once. */
    Stall(Switch off, Switch on) {
        this(off, () -> flipped(on));
    }

    Stall(Switch off, Resumption on) {
        this.off = off;
        this.on = on;
    }

    /** Is paused from now on, for as long as that. */
    synchronized void standStill(ScheduledExecutorService timer, long forMs) {
        since = unchecked(() -> flipped(off));
        stands = true;
        timer.schedule(this::end, forMs, TimeUnit.MILLISECONDS);
    }

    /** Goes on, if it was paused. */
    synchronized void end() {
        if (stands) {
            intervals.add(new Interval(since, unchecked(on)));
            stands = false;
        }
    }

    synchronized boolean stands() {
        return stands;
    }

    synchronized List<Interval> intervals() {
        return List.copyOf(intervals);
    }

    /** When it took effect: some time from before to after, which are close. */
    private static long flipped(Switch to) throws Exception {
        long before = System.nanoTime();
        to.flip();
        return before + (System.nanoTime() - before) / 2;
    }

    private static long unchecked(Resumption of) {
        try {
            return of.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
