/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.recorder;

/**
 * Everything recorded so far, as of one reading: what a {@link StripedRecorder} shows its readers.
 * Holds whole groups only, so that the counts of histograms that are recorded together are equal
 * and their sums belong to the same durations.
 */
public final class Totals {

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

    void addCells(int histogram, long[] source, int from, int to) {
        long[] target = cells[histogram];
        for (int cell = from; cell < to; cell++) {
            target[cell] += source[cell];
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

    /**
     * Shows the native buckets that hold something, the zero bucket left out.
     *
     * @param visitor is given each bucket once, by ascending index
     */
    public void nativeBuckets(int histogram, BucketVisitor visitor) {
        Joiner joiner = new Joiner(visitor);
        visit(
                histogram,
                (cell, count) -> {
                    if (cell > 0) {
                        joiner.add(scheme.nativeIndex(cell), count);
                    }
                });
        joiner.flush();
    }

    private void visit(int histogram, BucketVisitor visitor) {
        long[] source = cells[histogram];
        long blocks = touched[histogram];
        while (blocks != 0) {
            int from = Long.numberOfTrailingZeros(blocks) << blockShift;
            int to = Math.min(from + (1 << blockShift), source.length);
            for (int cell = from; cell < to; cell++) {
                if (source[cell] != 0) {
                    visitor.bucket(cell, source[cell]);
                }
            }
            blocks &= blocks - 1;
        }
    }

    /** Takes the buckets of a histogram one by one. */
    @FunctionalInterface
    public interface BucketVisitor {
        /**
         * One bucket.
         *
         * @param index of the bucket
         * @param count how many durations it holds, at least one
         */
        void bucket(int index, long count);
    }

    /** Puts the cells of a native bucket together that a classic bound has split. */
    private static final class Joiner {
        private final BucketVisitor visitor;
        private int index;
        private long count;

        Joiner(BucketVisitor visitor) {
            this.visitor = visitor;
        }

        void add(int nextIndex, long more) {
            if (nextIndex != index) {
                flush();
                index = nextIndex;
            }
            count += more;
        }

        void flush() {
            if (count > 0) {
                visitor.bucket(index, count);
                count = 0;
            }
        }
    }
}
