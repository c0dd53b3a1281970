/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * Remembers how many probes had been good and bad at each moment of the last hour, to say how many
 * were judged within a part of it; judging probes is left to the ledger. Thread-safe.
 */
public final class VerdictHistory {
    private static final long STEP_NANOS = Duration.ofSeconds(5).toNanos();
    private static final int STEPS = (int) (Duration.ofHours(1).toNanos() / STEP_NANOS) + 1;

    /** Counts at one instant. */
    private record Sample(long atNanos, long good, long bad, long stalledBad) {}

    /**
     * Probes judged within some time.
     *
     * @param seconds how much of what was asked for is remembered
     * @param good delivered within the target
     * @param bad the others
     * @param stalledBad of these, those that are bad by stalls of the canary's own process
     */
    public record Verdicts(double seconds, long good, long bad, long stalledBad) {
        /** Good and bad. */
        public long judged() {
            return good + bad;
        }
    }

    /** Oldest first, at least a step apart. */
    private final Deque<Sample> samples = new ArrayDeque<>();

    private Sample latest;

    /**
     * @param nowNanos monotonic nanoseconds, when nothing had been judged yet
     */
    public VerdictHistory(long nowNanos) {
        latest = new Sample(nowNanos, 0, 0, 0);
        samples.add(latest);
    }

    /**
     * Takes the counts of now.
     *
     * @param nowNanos monotonic nanoseconds, not before those of the last call
     * @param good probes judged good so far
     * @param bad probes judged bad so far
     * @param stalledBad of these, those bad by stalls of the canary's own process
     */
    public synchronized void record(long nowNanos, long good, long bad, long stalledBad) {
        latest = new Sample(nowNanos, good, bad, stalledBad);
        if (nowNanos - samples.getLast().atNanos() >= STEP_NANOS) {
            samples.add(latest);
        }
        if (samples.size() > STEPS) {
            samples.remove();
        }
    }

    /**
     * What was judged recently.
     *
     * @param window how far back, up to an hour; in steps of five seconds
     */
    public synchronized Verdicts over(Duration window) {
        long from = latest.atNanos() - window.toNanos();
        Iterator<Sample> back = samples.descendingIterator();
        Sample start = back.next();
        while (start.atNanos() - from > 0 && back.hasNext()) {
            start = back.next();
        }
        return new Verdicts(
                (latest.atNanos() - start.atNanos()) / 1e9,
                latest.good() - start.good(),
                latest.bad() - start.bad(),
                latest.stalledBad() - start.stalledBad());
    }
}
