/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import io.phasewise.lab.measure.Scrape;

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
}
