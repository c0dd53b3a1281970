/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Lets a limited number of lines a minute through and says how many it left out; what the lines say
 * is left to {@link ProbeJournal}. Thread-safe.
 *
 * <p>The minute begins with its first line. Lines are taken where trips are split and written
 * by whoever flushes: a reader of the log who is slow must not make probes look slow.
 */
final class SlowProbeLog {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final int perMinute;
    private final LongFunction<String> leftOutLine;
    private final Consumer<String> out;
    private final List<Supplier<String>> waiting = new ArrayList<>();
    private boolean open;
    private long openedNanos;
    private int taken;
    private long leftOut;

    /**
     * @param perMinute lines let through in a minute; 0 for no lines at all
     * @param leftOutLine says how many were left out, once the minute is over
     * @param out writes a line
     */
    SlowProbeLog(int perMinute, LongFunction<String> leftOutLine, Consumer<String> out) {
        this.perMinute = perMinute;
        this.leftOutLine = leftOutLine;
        this.out = out;
    }

    /**
     * Takes a line, unless the minute has had its share.
     *
     * @param line made when it is written
     * @param nowNanos the present, monotonic nanoseconds
     */
    synchronized void add(Supplier<String> line, long nowNanos) {
        if (perMinute == 0) {
            return;
        }
        closeWhenOver(nowNanos);
        if (!open) {
            open = true;
            openedNanos = nowNanos;
            taken = 0;
        }
        if (taken < perMinute) {
            taken++;
            waiting.add(line);
        } else {
            leftOut++;
        }
    }

    /** Writes what was taken. */
    void flush(long nowNanos) {
        List<Supplier<String>> lines;
        synchronized (this) {
            closeWhenOver(nowNanos);
            lines = List.copyOf(waiting);
            waiting.clear();
        }
        lines.forEach(line -> out.accept(line.get()));
    }

    private void closeWhenOver(long nowNanos) {
        if (!open || nowNanos - openedNanos < MINUTE) {
            return;
        }
        open = false;
        if (leftOut > 0) {
            long count = leftOut;
            waiting.add(() -> leftOutLine.apply(count));
            leftOut = 0;
        }
    }
}
