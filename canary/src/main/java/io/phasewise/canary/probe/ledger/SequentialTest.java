/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

/**
 * Decides between two rates of bad observations as early as the evidence allows: Wald's sequential
 * probability ratio test (Annals of Mathematical Statistics 16, 1945). It is begun again whenever
 * it accepts the usual rate, which makes it Page's cumulative sum (Biometrika 41, 1954).
 *
 * <p>At the usual rate it accepts the alarming one wrongly no more often than once in the given
 * number of observations on the mean (Lorden, Annals of Mathematical Statistics 42, 1971). At the
 * alarming rate, the probability that it takes that back wrongly is the inverse of that number.
 * Both hold for independent observations: what makes them so is left to the caller.
 */
final class SequentialTest {
    private final double ofBad;
    private final double ofGood;
    private final double bound;
    private double evidence;
    private boolean accepted;

    /**
     * @param usual the share of bad observations when all is well, above 0
     * @param alarming the share to be found, above the usual one and below 1
     * @param observations between two false alarms, on the mean; above 1
     */
    SequentialTest(double usual, double alarming, double observations) {
        this.ofBad = Math.log(alarming / usual);
        this.ofGood = Math.log((1 - alarming) / (1 - usual));
        this.bound = Math.log(observations);
    }

    /** Takes one observation in. */
    void observe(boolean bad) {
        evidence = Math.min(bound, Math.max(0, evidence + (bad ? ofBad : ofGood)));
        if (evidence == bound) {
            accepted = true;
        } else if (evidence == 0) {
            accepted = false;
        }
    }

    /** Whether the alarming rate is accepted; from then on, until the usual one is. */
    boolean isAccepted() {
        return accepted;
    }

    /** Forgets all observations. */
    void reset() {
        evidence = 0;
        accepted = false;
    }
}
