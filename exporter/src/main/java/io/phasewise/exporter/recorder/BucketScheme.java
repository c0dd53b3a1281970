/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.recorder;

import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Which bucket a duration belongs to, found without a logarithm and without rounding: the cells of
 * a histogram are bounded by the native buckets' edges and by the classic buckets' bounds together,
 * so that both forms are exact counts of the same cells. Counting is left to {@link
 * StripedRecorder}.
 *
 * <p>Native bucket {@code i} of schema {@code s} holds the durations in {@code (2^((i-1)/2^s),
 * 2^(i/2^s)]} seconds (Prometheus, native histogram specification). Durations here are whole
 * nanoseconds, so the bucket's last one is {@code floor(10^9 * 2^(i/2^s))}: a table of whole
 * numbers, computed once. A power of two of seconds is the only edge that a whole nanosecond can
 * lie on, and it belongs to the bucket that it ends.
 *
 * <p>A look-up takes the position of the highest bit and the {@code s + 1} bits after it as the
 * index of a second table, which names the first cell that can hold such a number. Since no native
 * bucket is narrower than what those bits tell apart, at most one native edge, and now and then a
 * classic bound, is left to compare with.
 *
 * <p>Error: an estimate that lies in the right bucket is off by less than the bucket's width,
 * {@code 2^(1/2^s) - 1} of the value: 0.55 % for schema 7, 1.09 % for schema 6. That is the bound
 * for Prometheus' {@code histogram_quantile}, wherever in the bucket the values are; were the
 * bucket's middle taken it would be half.
 *
 * <p>Immutable.
 */
public final class BucketScheme {

    /** Native buckets end here, at 2^12 seconds; longer durations share one more bucket. */
    private static final int MAX_EXPONENT = 12;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    /** Of the number of a cell; an edge below 2^12 seconds in nanoseconds takes 42 bits. */
    private static final int CELL_BITS = 16;

    private static final int CELL_MASK = (1 << CELL_BITS) - 1;

    private final int schema;
    private final long[] classicNanos;

    /** The last duration in each cell, ascending; cell 0 is that of durations of zero or less. */
    private final long[] lastNanos;

    private final int[] nativeIndex;
    private final int[] classicIndex;

    /**
     * By exponent and leading mantissa bits: the last duration of the first cell that may hold such
     * a duration, shifted left, and the number of that cell. Together, as each of two tables would
     * seldom be in the processor's cache.
     */
    private final long[] firstCell;

    private final int mantissaBits;

    /**
     * Computes the tables; takes some milliseconds.
     *
     * @param schema 0, a bucket for each power of two, to 8, the finest that Prometheus knows, with
     *     256 for each
     * @param classicNanos upper bounds of the classic buckets in nanoseconds, without infinity,
     *     ascending, positive, below 2^12 seconds
     */
    public BucketScheme(int schema, long[] classicNanos) {
        this.schema = schema;
        this.classicNanos = classicNanos.clone();
        this.mantissaBits = schema + 1;

        int firstIndex = firstNativeIndex();
        long[] edges = edges(firstIndex);
        TreeSet<Long> bounds = new TreeSet<>();
        bounds.add(0L);
        for (long edge : edges) {
            bounds.add(edge);
        }
        for (long bound : classicNanos) {
            bounds.add(bound);
        }
        // One cell for everything that is longer.
        bounds.add(Long.MAX_VALUE);
        this.lastNanos = bounds.stream().mapToLong(Long::longValue).toArray();

        int cells = lastNanos.length;
        this.nativeIndex = new int[cells];
        this.classicIndex = new int[cells];
        int edge = 0;
        int bound = 0;
        for (int cell = 0; cell < cells; cell++) {
            while (edge < edges.length && edges[edge] < lastNanos[cell]) {
                edge++;
            }
            while (bound < classicNanos.length && classicNanos[bound] < lastNanos[cell]) {
                bound++;
            }
            nativeIndex[cell] = firstIndex + edge;
            classicIndex[cell] = bound;
        }
        this.firstCell = firstCells();
    }

    /**
     * The cell of a duration.
     *
     * @param nanos zero and less belong to cell 0
     * @return 0 to {@link #cells()} - 1
     */
    public int cell(long nanos) {
        if (nanos <= 0) {
            return 0;
        }
        int zeros = Long.numberOfLeadingZeros(nanos);
        // The bits after the highest one, moved to the top, then cut.
        int mantissa = (int) ((nanos << zeros << 1) >>> (Long.SIZE - mantissaBits));
        long first = firstCell[((Long.SIZE - 1 - zeros) << mantissaBits) | mantissa];
        int cell = (int) first & CELL_MASK;
        if (nanos > first >>> CELL_BITS) {
            while (nanos > lastNanos[cell]) {
                cell++;
            }
        }
        return cell;
    }

    /** Number of cells. */
    public int cells() {
        return lastNanos.length;
    }

    /** The native schema. */
    public int schema() {
        return schema;
    }

    /**
     * Index of the native bucket that a cell is part of; of no meaning for cell 0, which is the
     * zero bucket.
     */
    public int nativeIndex(int cell) {
        return nativeIndex[cell];
    }

    /**
     * Position of the classic bucket that a cell is part of: 0 to {@link #classicBuckets()} - 1,
     * the last of which ends at infinity.
     */
    public int classicIndex(int cell) {
        return classicIndex[cell];
    }

    /** Number of classic buckets, with that which ends at infinity. */
    public int classicBuckets() {
        return classicNanos.length + 1;
    }

    /** Upper bounds of the classic buckets in seconds, ascending, the last one infinite. */
    public double[] classicSeconds() {
        double[] seconds = new double[classicBuckets()];
        for (int i = 0; i < classicNanos.length; i++) {
            // Both are exact, so the quotient is the double that prints as the bound is written.
            seconds[i] = (double) classicNanos[i] / NANOS_PER_SECOND;
        }
        seconds[classicNanos.length] = Double.POSITIVE_INFINITY;
        return seconds;
    }

    /** The native bucket of one nanosecond: {@code ceil(2^s * log2(10^-9))}. */
    private int firstNativeIndex() {
        // -29.897... and a whole number of steps below: far enough from a whole number for doubles.
        double log2 = -9 * Math.log(10) / Math.log(2);
        return (int) Math.ceil(log2 * (1 << schema));
    }

    /** The last whole nanosecond of every native bucket, from the given index to 2^12 seconds. */
    private long[] edges(int firstIndex) {
        double perOctave = 1 << schema;
        int lastIndex = MAX_EXPONENT << schema;
        // The same on every machine; that no edge is off by one is tested for all of them.
        return IntStream.rangeClosed(firstIndex, lastIndex)
                .mapToLong(index -> (long) (NANOS_PER_SECOND * StrictMath.pow(2, index / perOctave)))
                .toArray();
    }

    private long[] firstCells() {
        int perOctave = 1 << mantissaBits;
        long[] first = new long[(Long.SIZE - 1) * perOctave];
        int cell = 0;
        for (int i = 0; i < first.length; i++) {
            int exponent = i >>> mantissaBits;
            long mantissa = perOctave | (i & (perOctave - 1));
            // Of the numbers that share these leading bits the least; where there are fewer bits
            // than that, the entries between are never asked for.
            long least = exponent >= mantissaBits
                    ? mantissa << (exponent - mantissaBits)
                    : mantissa >>> (mantissaBits - exponent);
            while (lastNanos[cell] < least) {
                cell++;
            }
            // The end of the lone last cell has no room here: it is looked up.
            long last = Math.min(lastNanos[cell], Long.MAX_VALUE >>> CELL_BITS);
            first[i] = last << CELL_BITS | cell;
        }
        return first;
    }
}
