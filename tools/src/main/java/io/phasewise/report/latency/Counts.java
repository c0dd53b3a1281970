/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

/**
 * How the probes of one block ended.
 *
 * @param probes that the objective counts
 * @param bad those of them that missed the target, or never came
 * @param lost those that had not come when the canary gave them up, or could not be sent
 * @param resurfaced those that came after all, of this block's lost ones or of an earlier one's
 * @param ownBad bad ones that would have been good without the stalls of the canary itself; NaN
 *     where the canary does not count them
 */
public record Counts(double probes, double bad, double lost, double resurfaced, double ownBad) {

    /** With more of all probes than these, the canary's stalls reach p99. */
    private static final double STARVED = 0.01;

    public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    /**
     * Whether the canary's own stalls explain most of the bad probes, and so many that p99 is its
     * own. The alert CanaryStarved asks for the same magnitude: not for whether a stall touched a
     * probe, for one that took seconds because Kafka was slow has nearly always met a short one.
     */
    public boolean starved() {
        return ownBad > STARVED * probes && ownBad >= bad / 2;
    }

    /** Whether the canary counts which bad probes are its own. */
    public boolean ownBadKnown() {
        return !Double.isNaN(ownBad);
    }

    public Counts plus(Counts other) {
        return new Counts(
                probes + other.probes,
                bad + other.bad,
                lost + other.lost,
                resurfaced + other.resurfaced,
                ownBad + other.ownBad);
    }
}
