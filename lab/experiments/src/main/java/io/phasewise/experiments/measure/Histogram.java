/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A histogram of an exporter's page in its classic form, for figures that no log tells one by one.
 *
 * @param cumulative observations up to each bound, by the bound, infinity included
 */
public record Histogram(NavigableMap<Double, Double> cumulative) {
    private static final Pattern BOUND = Pattern.compile("[{,]le=\"([^\"]+)\"");

    /** The sum over all series of that name. */
    public static Histogram of(Scrape page, String name) {
        NavigableMap<Double, Double> cumulative = new TreeMap<>();
        for (Map.Entry<String, Double> series : page.values().entrySet()) {
            Matcher bound = BOUND.matcher(series.getKey());
            if (series.getKey().startsWith(name + "_bucket{") && bound.find()) {
                cumulative.merge(
                        Double.parseDouble(bound.group(1).replace("Inf", "Infinity")),
                        series.getValue(),
                        Double::sum);
            }
        }
        return new Histogram(cumulative);
    }

    /** What was observed since an earlier page of the same process. */
    public Histogram since(Histogram earlier) {
        NavigableMap<Double, Double> grown = new TreeMap<>(cumulative);
        grown.replaceAll((bound, count) -> count - earlier.cumulative.getOrDefault(bound, 0.0));
        return new Histogram(grown);
    }

    /** Observations. */
    public double count() {
        return cumulative.isEmpty() ? 0 : cumulative.lastEntry().getValue();
    }

    /**
     * A percentile, by linear interpolation within its bucket as Prometheus's histogram_quantile
     * does: known to a bucket's width.
     *
     * @param share 0 to 1
     * @return in the histogram's unit; the greatest finite bound for what lies above it, NaN
     *     without observations
     */
    public double quantile(double share) {
        double rank = share * count();
        double lower = 0;
        double below = 0;
        for (Map.Entry<Double, Double> bucket : cumulative.entrySet()) {
            double bound = bucket.getKey();
            double upTo = bucket.getValue();
            if (upTo >= rank && upTo > below) {
                return Double.isInfinite(bound)
                        ? lower
                        : lower + (bound - lower) * (rank - below) / (upTo - below);
            }
            lower = bound;
            below = upTo;
        }
        return Double.NaN;
    }
}
