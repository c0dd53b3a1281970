/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

/**
 * A stretch of time between two scrapes of one canary.
 *
 * @param from the scrape at its beginning
 * @param to the scrape at its end
 * @param fromNanos when it began, monotonic
 * @param toNanos when it ended
 */
record Stretch(Scrape from, Scrape to, long fromNanos, long toNanos) {

    PhaseSums sums(String profile, int... leaders) {
        return PhaseSums.between(from, to, PhaseSums.profile(profile), leaders);
    }

    /** How often a second the canary itself stood still for more than 20 ms. */
    double standstills() {
        double all = growth("kafka_canary_hiccup_seconds_count");
        double shorter = growth("kafka_canary_hiccup_seconds_bucket{le=\"0.02\"}");
        return (all - shorter) / ((toNanos - fromNanos) / 1e9);
    }

    private double growth(String series) {
        return to.values().get(series) - from.values().get(series);
    }
}
