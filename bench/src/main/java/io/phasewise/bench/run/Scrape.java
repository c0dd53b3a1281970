/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import io.prometheus.metrics.expositionformats.generated.com_google_protobuf_4_36_1.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All series of a process at one instant, read from the protobuf form, which alone carries native
 * histograms.
 */
public final class Scrape {
    private final Map<String, List<Metrics.Metric>> families = new HashMap<>();

    private Scrape() {}

    /**
     * Reads an exposition.
     *
     * @throws UncheckedIOException when it is none
     */
    public static Scrape of(byte[] protobuf) {
        Scrape scrape = new Scrape();
        ByteArrayInputStream in = new ByteArrayInputStream(protobuf);
        try {
            while (in.available() > 0) {
                Metrics.MetricFamily family = Metrics.MetricFamily.parseDelimitedFrom(in);
                scrape.families.put(family.getName(), family.getMetricList());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("not a Prometheus exposition", e);
        }
        return scrape;
    }

    /** A histogram summed over all series; empty when there is none. */
    public NativeHistogram histogram(String name) {
        // Not begun with an empty one, which would make a finer one coarser.
        return families.getOrDefault(name, List.of()).stream()
                .map(metric -> read(metric.getHistogram()))
                .reduce(NativeHistogram::plus)
                .orElseGet(NativeHistogram::empty);
    }

    /** Spans say which buckets are in use, deltas how each count differs from the one before. */
    private static NativeHistogram read(Metrics.Histogram histogram) {
        Map<Integer, Long> buckets = new TreeMap<>();
        int index = 0;
        int delta = 0;
        long count = 0;
        for (Metrics.BucketSpan span : histogram.getPositiveSpanList()) {
            index += span.getOffset();
            for (int i = 0; i < span.getLength(); i++) {
                count += histogram.getPositiveDelta(delta++);
                if (count != 0) {
                    buckets.put(index, count);
                }
                index++;
            }
        }
        return new NativeHistogram(
                histogram.getSchema(), buckets, histogram.getZeroCount(), histogram.getSampleSum());
    }
}
