/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.MarkPage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one network thread of the broker is doing: it waits in select(), or is in a pass, from there
 * until it calls select() again. Passes of over a millisecond are kept until they are taken out. The
 * thread itself neither locks nor allocates here.
 */
final class NetworkThread {

    /** Shorter passes are not kept. */
    static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A select() that takes no longer has found work at once: nothing lies between the passes. */
    static final long ADJOINING_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** As many as there can be in a second, after which they are taken out if somebody asks for pages. */
    private static final int KEPT = 1_024;

    private static final int BEGAN = 0;
    private static final int ENDED = 1;
    private static final int QUEUE_FULL = 2;
    private static final int COLUMNS = 3;

    private final int processor;
    private final Thread thread;
    private final InstantRing passes = new InstantRing(KEPT, COLUMNS);

    /** Of the pass that lasts; unknown while the thread waits in select(). */
    private final AtomicLong began = new AtomicLong(MarkPage.UNKNOWN);

    /** Since when the thread waits for room in the request queue; unknown while it does not. */
    private final AtomicLong waitingSince = new AtomicLong(MarkPage.UNKNOWN);

    /** Nanoseconds of this pass in which it did. */
    private final AtomicLong queueFull = new AtomicLong();

    /**
     * Used only by drain(): start of the pass that was reported while it lasted, until when it was reported,
     * and how much of that was waiting.
     */
    private long reportedBegan = MarkPage.UNKNOWN;

    private long reportedUntil;
    private long reportedQueueFull;

    /** Used only by drain(): the last pass, held back because the next may follow within 50 us; null for none. */
    private BusyMark last;

    /**
     * @param processor its id
     * @param thread itself
     */
    NetworkThread(int processor, Thread thread) {
        this.processor = processor;
        this.thread = thread;
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    /** The thread calls select(): its pass ends. */
    void selects(long now) {
        long begin = began.get();
        if (begin != MarkPage.UNKNOWN) {
            if (now - begin > LEAST_NANOS) {
                passes.begin();
                passes.set(BEGAN, begin);
                passes.set(ENDED, now);
                passes.set(QUEUE_FULL, queueFull.get());
                passes.end();
            }
            began.lazySet(MarkPage.UNKNOWN);
        }
    }

    /** The thread's select() has returned: a pass begins. */
    void selected(long now) {
        queueFull.lazySet(0);
        waitingSince.lazySet(MarkPage.UNKNOWN);
        began.lazySet(now);
    }

    /** The thread is about to put a request into the queue. */
    void sends(long now) {
        waitingSince.lazySet(now);
    }

    /** It has put it there. */
    void sent(long now) {
        long since = waitingSince.get();
        if (since != MarkPage.UNKNOWN) {
            queueFull.lazySet(queueFull.get() + now - since);
            waitingSince.lazySet(MarkPage.UNKNOWN);
        }
    }

    /**
     * Takes out the passes since the last time, those that adjoin as one. Of a pass that still lasts,
     * the part until now: the rest comes next time, however short it is.
     *
     * @param since passes that began earlier are not reported: they were not watched to their end
     * @return how many passes before these were overwritten
     */
    long drain(long now, long since, List<BusyMark> reported) {
        long current = began.get();
        long waited = queueFull.get();
        long waits = waitingSince.get();
        last = null;
        boolean[] ended = {false};
        long overwritten = passes.drain(row -> {
            ended[0] |= row[BEGAN] == current;
            if (row[BEGAN] - since >= 0) {
                report(row[BEGAN], row[ENDED], row[QUEUE_FULL], reported);
            }
        });
        // The pass, or its numbers, may have changed while they were read: the next time will do.
        boolean isSame = began.get() == current && queueFull.get() == waited && waitingSince.get() == waits;
        if (isSame && !ended[0] && current != MarkPage.UNKNOWN && current - since >= 0 && now - current > LEAST_NANOS) {
            report(current, now, waited + (waits == MarkPage.UNKNOWN ? 0 : Math.max(0, now - waits)), reported);
            reportedBegan = current;
            reportedUntil = now;
            reportedQueueFull = waited + (waits == MarkPage.UNKNOWN ? 0 : Math.max(0, now - waits));
        }
        if (last != null) {
            reported.add(last);
        }
        return overwritten;
    }

    private void report(long begin, long end, long waited, List<BusyMark> reported) {
        boolean isRest = begin == reportedBegan;
        long from = isRest ? reportedUntil : begin;
        long newlyWaited = isRest ? Math.max(0, waited - reportedQueueFull) : waited;
        if (end - from <= 0) {
            return;
        }
        if (last != null && from - last.ended <= ADJOINING_NANOS) {
            last = new BusyMark(processor, last.began, end, last.queueFull + newlyWaited);
        } else {
            if (last != null) {
                reported.add(last);
            }
            last = new BusyMark(processor, from, end, newlyWaited);
        }
    }
}
