/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.recorder;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.NativeHistogramBuckets;
import java.util.List;
import java.util.TreeMap;

/**
 * Everything recorded so far, as of one reading: what a {@link StripedRecorder} shows its readers.
 * Holds whole groups only, so that the counts of histograms that are recorded together are equal
 * and their sums belong to the same durations.
 */
public final class Totals {

    /** What Prometheus recommends; only durations of exactly zero are that small. */
    private static final double ZERO_THRESHOLD = Math.pow(2, -128);

    private static final double NANOS_PER_SECOND = 1e9;

    /** When the counts began, left to the scraper: with the JVM. */
    private static final long BEGIN_NOT_SAID = 0;

    private final BucketScheme scheme;
    private final Cells all;

    Totals(BucketScheme scheme, Cells all) {
        this.scheme = scheme;
        this.all = all;
    }

    /** Sum of all durations in nanoseconds; those below zero count as zero. */
    public long sumNanos(int histogram) {
        return all.sums[histogram];
    }

    /** Value of a counter. */
    public long counter(int counter) {
        return all.counters[counter];
    }

    /** Number of counters. */
    public int counters() {
        return all.counters.length;
    }

    /** Durations of zero or less. */
    public long zeroCount(int histogram) {
        return all.cells[histogram * all.each];
    }

    /** Counts of the classic buckets, each without those below it, in order of their bounds. */
    public long[] classicCounts(int histogram) {
        long[] counts = new long[scheme.classicBuckets()];
        visit(histogram, (cell, count) -> counts[scheme.classicIndex(cell)] += count);
        return counts;
    }

    /** The native buckets that hold something, by ascending index; the zero bucket left out. */
    public NativeHistogramBuckets nativeBuckets(int histogram) {
        // A classic bound may have split a native bucket into cells.
        TreeMap<Integer, Long> counts = new TreeMap<>();
        visit(histogram, (cell, count) -> {
            if (cell > 0) {
                counts.merge(scheme.nativeIndex(cell), count, Long::sum);
            }
        });
        return NativeHistogramBuckets.of(List.copyOf(counts.keySet()), List.copyOf(counts.values()));
    }

    /**
     * A histogram as client_java wants it, in both forms.
     *
     * @param labels of the series
     */
    public HistogramDataPointSnapshot snapshot(int histogram, Labels labels) {
        return new HistogramDataPointSnapshot(
                ClassicHistogramBuckets.of(scheme.classicSeconds(), classicCounts(histogram)),
                scheme.schema(),
                zeroCount(histogram),
                ZERO_THRESHOLD,
                nativeBuckets(histogram),
                NativeHistogramBuckets.EMPTY,
                sumNanos(histogram) / NANOS_PER_SECOND,
                labels,
                Exemplars.EMPTY,
                BEGIN_NOT_SAID);
    }

    private void visit(int histogram, CellVisitor visitor) {
        int first = histogram * all.each;
        long blocks = all.touched[histogram];
        while (blocks != 0) {
            int from = Long.numberOfTrailingZeros(blocks) << all.blockShift;
            int to = Math.min(from + (1 << all.blockShift), all.each);
            for (int cell = from; cell < to; cell++) {
                if (all.cells[first + cell] != 0) {
                    visitor.cell(cell, all.cells[first + cell]);
                }
            }
            blocks &= blocks - 1;
        }
    }

    private interface CellVisitor {
        void cell(int cell, long count);
    }
}
