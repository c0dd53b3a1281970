/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.PauseMark;
import java.util.function.Consumer;

/**
 * When this JVM was paused, for its garbage collector or because its process was stopped: a thread
 * reports at short intervals that it runs, and a gap in its reports is a pause. What followers sent
 * during a pause is received only afterwards, and that delay is not theirs.
 *
 * <p>Thread-safe. Instants are nanoseconds of one clock.
 */
final class Pauses {

    /** How often {@link #tick} is to be called. */
    static final long INTERVAL_NANOS = 10_000_000L;

    /**
     * A gap of this length or more is a pause; on a busy machine shorter gaps occur by themselves.
     */
    static final long LEAST_NANOS = 50_000_000L;

    private static final int KEPT = 64;

    private final long[] begins = new long[KEPT];
    private final long[] ends = new long[KEPT];
    private int count;

    /** How many have been handed over, or given up. */
    private int drained;

    private long total;
    private boolean started;
    private long last;

    /** Nobody has watched until now: the time since the last report is not a pause. */
    synchronized void resume() {
        started = false;
    }

    /** The JVM runs. */
    synchronized void tick(long now) {
        if (started && now - last > LEAST_NANOS) {
            begins[count % KEPT] = last + INTERVAL_NANOS;
            ends[count % KEPT] = now;
            count++;
            total += now - last - INTERVAL_NANOS;
        }
        started = true;
        last = now;
    }

    /**
     * For how much of an interval the JVM was paused. This includes a pause that has just ended:
     * the thread that reports may not have run since.
     *
     * @param until not after now
     * @return nanoseconds; 0 before the first tick
     */
    synchronized long between(long from, long until) {
        long paused = 0;
        if (started && until - last > LEAST_NANOS) {
            paused = overlap(from, until, last + INTERVAL_NANOS, until);
        }
        for (int i = count - 1; i >= 0 && i > count - 1 - KEPT; i--) {
            if (ends[i % KEPT] - from <= 0) {
                break;
            }
            paused += overlap(from, until, begins[i % KEPT], ends[i % KEPT]);
        }
        return paused;
    }

    /** Hands over the pauses that ended since the last time, as far as they are kept. */
    synchronized void drain(Consumer<PauseMark> listener) {
        for (int i = Math.max(drained, count - KEPT); i < count; i++) {
            listener.accept(new PauseMark(begins[i % KEPT], ends[i % KEPT]));
        }
        drained = count;
    }

    /** Nanoseconds of all pauses so far. */
    synchronized long total() {
        return total;
    }

    private static long overlap(long from, long until, long begin, long end) {
        long first = begin - from > 0 ? begin : from;
        long last = end - until < 0 ? end : until;
        return Math.max(0, last - first);
    }
}
