/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_36_1.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * A native histogram of the canary, summed over all series of a metric. It is read from the
 * protobuf format, the only one with native histograms.
 *
 * @param buckets counts by index, without empty ones; bucket i has the values in (2^((i-1) /
 *     2^{@value #SCHEMA}), 2^(i / 2^{@value #SCHEMA})], which is 1.09 % wide
 */
public record NativeHistogram(Map<Integer, Long> buckets) {
    /** The schema of the canary's histograms. */
    static final int SCHEMA = 6;

    /**
     * Reads a histogram from a page.
     *
     * @param protobuf all metric families of the page, delimited
     * @throws IOException when it is not such a page, or a histogram has another schema
     */
    public static NativeHistogram read(byte[] protobuf, String name) throws IOException {
        Map<Integer, Long> buckets = new TreeMap<>();
        ByteArrayInputStream in = new ByteArrayInputStream(protobuf);
        while (in.available() > 0) {
            Metrics.MetricFamily family = Metrics.MetricFamily.parseDelimitedFrom(in);
            if (family.getName().equals(name)) {
                for (Metrics.Metric series : family.getMetricList()) {
                    add(series.getHistogram(), buckets);
                }
            }
        }
        return new NativeHistogram(buckets);
    }

    /** Spans say which buckets are used; deltas say how each count differs from the one before. */
    private static void add(Metrics.Histogram histogram, Map<Integer, Long> buckets) throws IOException {
        if (histogram.getSchema() != SCHEMA) {
            throw new IOException("a histogram of schema " + histogram.getSchema());
        }
        int index = 0;
        int delta = 0;
        long count = 0;
        for (Metrics.BucketSpan span : histogram.getPositiveSpanList()) {
            index += span.getOffset();
            for (int i = 0; i < span.getLength(); i++) {
                count += histogram.getPositiveDelta(delta++);
                buckets.merge(index++, count, Long::sum);
            }
        }
    }

    /** The values that were added since an earlier scrape of the same series. */
    public NativeHistogram minus(NativeHistogram earlier) {
        Map<Integer, Long> since = new TreeMap<>(buckets);
        earlier.buckets.forEach((index, count) -> since.merge(index, -count, Long::sum));
        since.values().removeIf(count -> count == 0);
        return new NativeHistogram(since);
    }

    /** The number of values. */
    public long count() {
        return buckets.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The median, interpolated on a logarithmic scale as Prometheus does; NaN without a value. */
    public double median() {
        double left = count() / 2.0;
        for (Map.Entry<Integer, Long> bucket : new TreeMap<>(buckets).entrySet()) {
            double within = left / bucket.getValue();
            if (within <= 1) {
                return Math.pow(2, (bucket.getKey() - 1 + within) / (1 << SCHEMA));
            }
            left -= bucket.getValue();
        }
        return Double.NaN;
    }
}
