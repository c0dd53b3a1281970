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
 * @param resurfaced lost probes, of this block or an earlier one, that came after all
 * @param ownBad bad ones that would have been good without the stalls of the canary itself; NaN
 *     where the canary does not count them
 */
public record Counts(double probes, double bad, double lost, double resurfaced, double ownBad) {

    /**
     * Where the canary's own stalls make more than this share of all probes bad, they decide p99.
     */
    private static final double STARVED = 0.01;

    public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    /**
     * Whether the canary's own stalls explain at least half of the bad probes, and so many of all
     * probes that p99 is the canary's own. The alert CanaryStarved has the same two limits.
     * Whether a stall touched a probe does not count: a probe that took seconds because Kafka was
     * slow has nearly always met a short stall.
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
