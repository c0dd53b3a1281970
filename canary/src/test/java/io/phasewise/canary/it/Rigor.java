/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import java.time.Duration;

/**
 * How strictly the phases are judged.
 *
 * @param rounds measured; the median counts
 * @param patience how long rounds may be repeated where the machine is not fit
 * @param tolerance share of what was injected that a phase may lack, and by which the others
 *     together may grow
 * @param excess share of what was injected by which a phase may have grown more
 */
record Rigor(int rounds, Duration patience, double tolerance, double excess) {

    /** For a machine that does nothing else. */
    static Rigor exact(int rounds, Duration patience) {
        return new Rigor(rounds, patience, 0.1, 0.1);
    }

    /**
     * For a machine that runs other tests as well, which takes its own time in every phase: what
     * lands in the wrong phase is seen, how exact the right one is is not.
     */
    static Rigor coarse(int rounds) {
        return new Rigor(rounds, Duration.ofSeconds(60), 0.4, 1);
    }
}
