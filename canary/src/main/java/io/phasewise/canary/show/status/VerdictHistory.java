/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.status;

import java.time.Duration;

/**
 * Remembers how many probes had been good and bad at each moment of the last hour, to say how many
 * were within a stretch of it; judging probes is left to the ledger. Thread-safe.
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

    private final Sample[] ring = new Sample[STEPS];

    /** How many samples were ever put into the ring. */
    private long samples;

    private Sample latest;

    /**
     * @param nowNanos monotonic nanoseconds, when nothing had been judged yet
     */
    public VerdictHistory(long nowNanos) {
        latest = new Sample(nowNanos, 0, 0, 0);
        keep(latest);
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
        if (nowNanos - sample(samples - 1).atNanos() >= STEP_NANOS) {
            keep(latest);
        }
    }

    /**
     * What was judged recently.
     *
     * @param window how far back, up to an hour; in steps of five seconds
     */
    public synchronized Verdicts over(Duration window) {
        long from = latest.atNanos() - window.toNanos();
        long i = samples - 1;
        while (i > 0 && i > samples - STEPS && sample(i).atNanos() - from > 0) {
            i--;
        }
        Sample start = sample(i);
        return new Verdicts(
                (latest.atNanos() - start.atNanos()) / 1e9,
                latest.good() - start.good(),
                latest.bad() - start.bad(),
                latest.stalledBad() - start.stalledBad());
    }

    private void keep(Sample sample) {
        ring[(int) (samples++ % STEPS)] = sample;
    }

    private Sample sample(long number) {
        return ring[(int) (number % STEPS)];
    }
}
