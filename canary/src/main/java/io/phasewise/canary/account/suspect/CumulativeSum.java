/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Whether the probes of one leader wait longer than usual for one broker and role. One observation is a second: x, what
 * the probes that came back in it have waited in all, divided by how many usually do; against the usual u. So a pause of d
 * adds d * d / 2 to one x, wherever it ends in its second; and without pauses x is the mean wait.
 *
 * <p>The test is Page's cumulative sum (Biometrika 41, 1954): each second adds x - u, the sum is never below 0, and at
 * {@link #BOUND} the excess is accepted. So a wait of u + e is accepted after 0.2 s / e seconds: in the same second where
 * e is 0.2 s, after 5 s where it is 40 ms, never where it is 0. One single pause must last 0.65 s to be accepted.
 *
 * <p>False alarms: where E exp(c (x - u)) is at most 1 given the past, exp(c sum) is an e-detector (Shin, Ramdas and
 * Rinaldo, New England Journal of Statistics in Data Science 2, 2024; for a known distribution Lorden, Annals of
 * Mathematical Statistics 42, 1971): it is wrong at most once in exp(c 0.2 s) seconds on the mean. With c = 73.8 per
 * second that is once in {@link #BETWEEN_FALSE_ALARMS}. With u = 10 ms, and independent seconds, it holds for pauses of
 * 200 ms in one second of four, of 300 ms twice a minute, of 400 ms every six minutes.
 *
 * <p>An accepted excess is taken back once the sum is 0 again: after {@link #GOOD_SECONDS} seconds without excess, those
 * with excess between them set off; or after {@link #VOID} without a probe.
 */
final class CumulativeSum {
    /** Seconds of accumulated excess at which it is accepted. */
    static final double BOUND = 0.2;

    /** The mean time between two false alarms of one test, at least, under the conditions above. */
    static final Duration BETWEEN_FALSE_ALARMS = Duration.ofDays(30);

    /** After so many seconds without excess an accepted one is taken back. The mean excess is of as many at most. */
    static final int GOOD_SECONDS = 15;

    /** After so long without a probe of the leader all evidence is forgotten. */
    static final Duration VOID = Duration.ofSeconds(30);

    /** An excess is accepted on account of no fewer probes than this. */
    static final int LEAST_PROBES = 5;

    private final Deque<Wait> recent = new ArrayDeque<>();
    private double sum;
    private long ended;
    private int mostOpen;
    private boolean accepted;
    private long beganSecond;
    private long lastSecond;

    /**
     * One second of one leader's probes.
     *
     * @param probes how many: those that came back in it, and open ones
     * @param seconds x, see above
     * @param mean mean wait of a probe
     * @param usual what of that is usual
     * @param phases mean wait beyond the usual one of each phase, none negative: shares of the excess
     * @param slow probes that came back in it and had waited for more than the fixed allowance
     * @param slowOpen open probes that have
     */
    record Wait(long probes, double seconds, double mean, double usual, double[] phases, int slow, int slowOpen) {}

    /** Takes in a second that had a probe; seconds come in ascending order. */
    void observe(long second, Wait wait) {
        expire(second);
        long passed = second - lastSecond;
        lastSecond = second;
        double excess = wait.seconds - wait.usual;
        if (excess <= 0) {
            sum -= accepted ? Math.max(-excess, BOUND / GOOD_SECONDS * passed) : -excess;
            if (sum <= 1e-12) {
                forget();
                return;
            }
        } else {
            if (sum == 0) {
                beganSecond = second;
            }
            sum = Math.min(BOUND, sum + excess);
        }
        ended += wait.slow;
        mostOpen = Math.max(mostOpen, wait.slowOpen);
        recent.add(wait);
        if (recent.size() > GOOD_SECONDS) {
            recent.remove();
        }
        // An open probe may come back later: the two are not added up.
        accepted |= sum == BOUND && Math.max(ended, mostOpen) >= LEAST_PROBES;
    }

    /** Forgets all where no probe has come for too long. */
    void expire(long second) {
        if (sum > 0 && second - lastSecond > VOID.toSeconds()) {
            forget();
        }
    }

    private void forget() {
        sum = 0;
        ended = 0;
        mostOpen = 0;
        accepted = false;
        recent.clear();
    }

    /** Whether there is no evidence at all. */
    boolean isEmpty() {
        return sum == 0;
    }

    /** Whether the excess is accepted. */
    boolean isAccepted() {
        return accepted;
    }

    /** Whether there is at least a quarter of the evidence that is needed. */
    boolean isLikely() {
        return sum >= BOUND / 4;
    }

    /** The second in which the excess began. */
    long beganSecond() {
        return beganSecond;
    }

    /**
     * Seconds by phase that a probe has waited in excess of what is usual: the mean of the probes since the excess began,
     * of the last {@link #GOOD_SECONDS} seconds at most. None is negative.
     */
    double[] excess() {
        long probes = 0;
        double excess = 0;
        double[] phases = null;
        double all = 0;
        for (Wait wait : recent) {
            probes += wait.probes;
            excess += wait.probes * (wait.mean - wait.usual);
            phases = phases == null ? new double[wait.phases.length] : phases;
            for (int i = 0; i < phases.length; i++) {
                phases[i] += wait.probes * wait.phases[i];
                all += wait.probes * wait.phases[i];
            }
        }
        if (phases == null) {
            return new double[0];
        }
        double scale = all > 0 ? Math.max(0, excess) / probes / all : 0;
        for (int i = 0; i < phases.length; i++) {
            phases[i] *= scale;
        }
        return phases;
    }
}
