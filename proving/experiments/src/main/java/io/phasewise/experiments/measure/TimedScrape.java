/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import io.phasewise.lab.measure.Scrape;

/**
 * A page with the moment at which it was read. So a rate is divided by the time that really lies
 * between two pages.
 *
 * @param page its series
 * @param nanos {@link System#nanoTime} halfway between request and answer
 * @param millis from the request to the last byte of the answer
 */
public record TimedScrape(Scrape page, long nanos, double millis) {

    /** Seconds since an earlier one. */
    public double secondsSince(TimedScrape earlier) {
        return (nanos - earlier.nanos) / 1e9;
    }
}
