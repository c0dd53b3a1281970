/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.phases.PhaseBreakdown;
import java.util.Random;

/**
 * A leader whose follower is paused for the first 400 ms of every second, or is not, and the phases
 * of the probes sent to it, 20 a second. The same in every run.
 */
final class StallingFollower {
    static final long MICRO = 1_000;
    static final long MILLI = 1_000_000;
    static final int PROBES = 4_000;
    private static final long SECOND = 1_000_000_000;

    final Random random = new Random(11);
    private final boolean stalls;
    private Means sums = new Means(0, 0, 0, 0);
    private long due;

    StallingFollower(boolean stalls) {
        this.stalls = stalls;
    }

    /** Of all probes, in milliseconds. */
    record Means(double produce, double publish, double commit, double fetch) {
        Means minus(Means quiet) {
            return new Means(
                    produce - quiet.produce,
                    publish - quiet.publish,
                    commit - quiet.commit,
                    fetch - quiet.fetch);
        }

        double shareOfCommit() {
            return commit / (commit + Math.max(0, produce + publish + fetch));
        }
    }

    /** When the next probe is due. */
    long nextDue() {
        due += (long) (-Math.log(1 - random.nextDouble()) * 50 * MILLI);
        return due;
    }

    /** When the follower has what was appended at some time. */
    long committed(long appended) {
        long at = appended + 500 * MICRO + random.nextInt(400_000);
        long intoSecond = Math.floorMod(at, SECOND);
        return stalls && intoSecond < 400 * MILLI ? at + 400 * MILLI - intoSecond : at;
    }

    void add(PhaseBreakdown phases, long endToEnd) {
        assertThat(phases.total()).isEqualTo(endToEnd);
        double scale = -1.0 / PROBES / MILLI;
        sums =
                sums.minus(
                        new Means(
                                phases.produce() * scale,
                                phases.publish() * scale,
                                phases.commit() * scale,
                                phases.fetch() * scale));
    }

    Means means() {
        return sums;
    }
}
