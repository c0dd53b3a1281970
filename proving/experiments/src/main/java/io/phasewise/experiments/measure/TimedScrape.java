/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import io.phasewise.lab.measure.Scrape;

/**
 * A page with the moment at which it was read, so that a rate is divided by the time that lies
 * between the two pages and not by the time that should.
 *
 * @param page what was read
 * @param nanos {@link System#nanoTime} in the middle of its coming
 * @param millis how long it took to come, as far as its last byte
 */
public record TimedScrape(Scrape page, long nanos, double millis) {

    /** Seconds since an earlier one. */
    public double secondsSince(TimedScrape earlier) {
        return (nanos - earlier.nanos) / 1e9;
    }
}
