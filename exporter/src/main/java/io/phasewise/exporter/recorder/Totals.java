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
import java.util.Arrays;

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
    private static final long NOT_SAID = 0;

    private final BucketScheme scheme;
    private final long[][] cells;
    private final long[] touched;
    private final long[] sums;
    private final long[] counters;
    private final int blockShift;

    Totals(BucketScheme scheme, int histograms, int counters) {
        this.scheme = scheme;
        this.cells = new long[histograms][scheme.cells()];
        this.touched = new long[histograms];
        this.sums = new long[histograms];
        this.counters = new long[counters];
        this.blockShift = blockShift(scheme.cells());
    }

    /** Power of two of the least block of cells of which there are no more than a long has bits. */
    static int blockShift(int cells) {
        int shift = 0;
        while (((cells - 1) >>> shift) >= Long.SIZE) {
            shift++;
        }
        return shift;
    }

    void touch(int histogram, long blocks) {
        touched[histogram] |= blocks;
    }

    /** Adds cells of a histogram, of which the first is at a place of the source. */
    void addCells(int histogram, long[] source, int first, int from, int to) {
        long[] target = cells[histogram];
        for (int cell = from; cell < to; cell++) {
            target[cell] += source[first + cell];
        }
    }

    void addSum(int histogram, long nanos) {
        sums[histogram] += nanos;
    }

    void addCount(int counter, long increase) {
        counters[counter] += increase;
    }

    /** Sum of all durations in nanoseconds; those below zero count as zero. */
    public long sumNanos(int histogram) {
        return sums[histogram];
    }

    /** Value of a counter. */
    public long counter(int counter) {
        return counters[counter];
    }

    /** Number of counters. */
    public int counters() {
        return counters.length;
    }

    /** Durations of zero or less. */
    public long zeroCount(int histogram) {
        return cells[histogram][0];
    }

    /** Counts of the classic buckets, each without those below it, in order of their bounds. */
    public long[] classicCounts(int histogram) {
        long[] counts = new long[scheme.classicBuckets()];
        visit(histogram, (cell, count) -> counts[scheme.classicIndex(cell)] += count);
        return counts;
    }

    /** The native buckets that hold something, by ascending index; the zero bucket left out. */
    public NativeHistogramBuckets nativeBuckets(int histogram) {
        Buckets buckets = new Buckets();
        visit(
                histogram,
                (cell, count) -> {
                    if (cell > 0) {
                        buckets.add(scheme.nativeIndex(cell), count);
                    }
                });
        return buckets.build();
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
                NOT_SAID);
    }

    private void visit(int histogram, CellVisitor visitor) {
        long[] source = cells[histogram];
        long blocks = touched[histogram];
        while (blocks != 0) {
            int from = Long.numberOfTrailingZeros(blocks) << blockShift;
            int to = Math.min(from + (1 << blockShift), source.length);
            for (int cell = from; cell < to; cell++) {
                if (source[cell] != 0) {
                    visitor.cell(cell, source[cell]);
                }
            }
            blocks &= blocks - 1;
        }
    }

    private interface CellVisitor {
        void cell(int cell, long count);
    }

    /** Native buckets; those that a classic bound has split into cells are put together again. */
    private static final class Buckets {
        private int[] indices = new int[64];
        private long[] counts = new long[64];
        private int size;

        void add(int index, long count) {
            if (size > 0 && indices[size - 1] == index) {
                counts[size - 1] += count;
                return;
            }
            if (size == indices.length) {
                indices = Arrays.copyOf(indices, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            indices[size] = index;
            counts[size] = count;
            size++;
        }

        NativeHistogramBuckets build() {
            return NativeHistogramBuckets.of(
                    Arrays.copyOf(indices, size), Arrays.copyOf(counts, size));
        }
    }
}
