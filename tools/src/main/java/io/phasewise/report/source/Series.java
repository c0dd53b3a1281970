/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Histogram.Bucket;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * One time series of an answer: numbers, or native histograms, or both.
 *
 * @param labels without those that the expression dropped
 * @param values by their time
 * @param histograms by their time
 */
public record Series(
        Map<String, String> labels, NavigableMap<Instant, Double> values, NavigableMap<Instant, Histogram> histograms) {

    /** A label's value, empty where the series has none. */
    public String label(String name) {
        return labels.getOrDefault(name, "");
    }

    /**
     * Reads a series as the API gives it.
     *
     * @throws IOException when it has another shape
     */
    static Series of(JsonNode json) throws IOException {
        NavigableMap<Instant, Double> values = new TreeMap<>();
        for (Sample sample : Sample.of(json)) {
            values.put(sample.time(), sample.value());
        }
        NavigableMap<Instant, Histogram> histograms = new TreeMap<>();
        if (json.has("histogram")) {
            put(json.get("histogram"), histograms);
        }
        for (JsonNode sample : json.path("histograms")) {
            put(sample, histograms);
        }
        return new Series(Sample.labels(json), values, histograms);
    }

    private static void put(JsonNode sample, Map<Instant, Histogram> histograms) throws IOException {
        histograms.put(Sample.time(sample), histogram(sample.path(1)));
    }

    /**
     * A bucket comes as an array: which of its bounds belong to it, lower bound, upper bound,
     * count.
     */
    private static Histogram histogram(JsonNode json) throws IOException {
        List<Bucket> buckets = new ArrayList<>();
        for (JsonNode bucket : json.path("buckets")) {
            // The bucket around 0 begins below it; no latency does.
            double begin = Math.max(0, Sample.number(bucket.path(1)));
            double end = Sample.number(bucket.path(2));
            double count = Sample.number(bucket.path(3));
            if (count > 0 && end > begin) {
                buckets.add(new Bucket(begin, end, count));
            }
        }
        double sum = json.has("sum") ? Sample.number(json.get("sum")) : Double.NaN;
        return Histogram.of(buckets, sum);
    }
}
