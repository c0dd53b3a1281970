/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import io.phasewise.report.stats.Histogram;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;

/**
 * One time series of an answer: numbers, or native histograms, or both.
 *
 * @param labels without those that the expression dropped
 * @param values by their time
 * @param histograms by their time
 */
public record Series(
        Map<String, String> labels,
        NavigableMap<Instant, Double> values,
        NavigableMap<Instant, Histogram> histograms) {

    /** A label's value, empty where the series has none. */
    public String label(String name) {
        return labels.getOrDefault(name, "");
    }
}
