/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

/**
 * How the probes of one block ended.
 *
 * @param probes that the objective counts
 * @param bad those of them that missed the target, or never came
 * @param lost those that never came, or could not be sent
 * @param stalled those on whose way the canary's own process stood still
 */
public record Counts(double probes, double bad, double lost, double stalled) {

    /** The alert CanaryStarved fires above this share. */
    private static final double STARVED = 0.05;

    static final Counts NONE = new Counts(0, 0, 0, 0);

    /** Whether the canary's own stalls touched so many probes that its latencies are its own. */
    public boolean starved() {
        return stalled > STARVED * probes && stalled > 0;
    }

    Counts plus(Counts other) {
        return new Counts(
                probes + other.probes, bad + other.bad, lost + other.lost, stalled + other.stalled);
    }
}
