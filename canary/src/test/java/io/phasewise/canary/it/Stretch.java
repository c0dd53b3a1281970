/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

/**
 * A stretch of time between two scrapes of one canary.
 *
 * @param grown what was recorded meanwhile
 * @param fromNanos when it began, monotonic
 * @param toNanos when it ended
 */
record Stretch(Scrape grown, long fromNanos, long toNanos) {

    PhaseSums sums(String profile, int... leaders) {
        return PhaseSums.of(grown, profile(profile), leaders);
    }

    static String profile(String name) {
        return "profile=" + name;
    }
}
