/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.Arrays;
import java.util.List;

/**
 * Latencies counted in adjoining buckets, of any widths, and how many never ended, which count as
 * slower than every bucket. Immutable. Within a bucket latencies are taken to be spread evenly on a
 * logarithmic scale, as Prometheus takes them for native histograms; evenly in a bucket that begins
 * at 0.
 */
public final class Histogram {

    /** No latency at all. */
    public static final Histogram EMPTY = new Histogram(new double[] {0}, new double[0], 0, 0);

    /**
     * Some latencies between two bounds.
     *
     * @param lower in seconds, at least 0
     * @param upper in seconds, above lower; infinite for latencies beyond the last bound
     * @param count how many, not negative; rates make it fractional
     */
    public record Bucket(double lower, double upper, double count) {}

    private final double[] edges;
    private final double[] cumulative;
    private final double beyond;
    private final double sum;

    /**
     * @param edges ascending, one more than cells
     * @param counts of each cell between two edges
     */
    private Histogram(double[] edges, double[] counts, double beyond, double sum) {
        this.edges = edges;
        this.cumulative = new double[counts.length];
        double running = 0;
        for (int i = 0; i < counts.length; i++) {
            running += counts[i];
            cumulative[i] = running;
        }
        this.beyond = beyond;
        this.sum = sum;
    }

    /**
     * Collects buckets.
     *
     * @param buckets in any order; may overlap where resolutions were mixed
     * @param sum of all latencies in seconds, for the mean; NaN where it is not known
     */
    public static Histogram of(List<Bucket> buckets, double sum) {
        double beyond = 0;
        double[] all = new double[2 * buckets.size() + 1];
        int n = 0;
        for (Bucket bucket : buckets) {
            if (Double.isInfinite(bucket.upper())) {
                beyond += bucket.count();
                all[n++] = bucket.lower();
            } else {
                all[n++] = bucket.lower();
                all[n++] = bucket.upper();
            }
        }
        double[] edges = distinct(Arrays.copyOf(all, n));
        double[] counts = new double[Math.max(0, edges.length - 1)];
        for (Bucket bucket : buckets) {
            if (!Double.isInfinite(bucket.upper())) {
                spread(edges, counts, bucket.lower(), bucket.upper(), bucket.count());
            }
        }
        return new Histogram(edges, counts, beyond, sum);
    }

    /**
     * Adds histograms up.
     *
     * @param parts any number
     */
    public static Histogram sum(List<Histogram> parts) {
        int size = 0;
        for (Histogram part : parts) {
            size += part.edges.length;
        }
        double[] all = new double[size];
        int n = 0;
        for (Histogram part : parts) {
            System.arraycopy(part.edges, 0, all, n, part.edges.length);
            n += part.edges.length;
        }
        double[] edges = distinct(all);
        double[] counts = new double[Math.max(0, edges.length - 1)];
        double beyond = 0;
        double sum = 0;
        for (Histogram part : parts) {
            for (int cell = 0; cell < part.cumulative.length; cell++) {
                double count = part.inCell(cell);
                if (count > 0) {
                    spread(edges, counts, part.edges[cell], part.edges[cell + 1], count);
                }
            }
            beyond += part.beyond;
            sum += part.sum;
        }
        return new Histogram(edges, counts, beyond, sum);
    }

    /** The same with more latencies that never ended. */
    public Histogram plusBeyond(double count) {
        return count == 0 ? this : new Histogram(edges, counts(), beyond + count, sum);
    }

    /** How many in all, those that never ended included. */
    public double count() {
        return measured() + beyond;
    }

    /** How many have a latency. */
    public double measured() {
        return cumulative.length == 0 ? 0 : cumulative[cumulative.length - 1];
    }

    /**
     * Mean of those that have a latency, in seconds; NaN where there is none or the sum is not
     * known.
     */
    public double mean() {
        return sum / measured();
    }

    /**
     * How many were at most so long.
     *
     * @param seconds a latency; infinite for all that ended
     */
    public double atMost(double seconds) {
        if (cumulative.length == 0 || seconds <= edges[0]) {
            return 0;
        }
        if (seconds >= edges[edges.length - 1]) {
            return measured();
        }
        int found = Arrays.binarySearch(edges, seconds);
        int cell = found >= 0 ? found - 1 : -found - 2;
        double before = cell == 0 ? 0 : cumulative[cell - 1];
        return before + inCell(cell) * share(edges[cell], edges[cell + 1], seconds);
    }

    /**
     * The latency that a share of all does not exceed.
     *
     * @param p 0 to 1
     * @return seconds; infinite where it lies among those that never ended, NaN where there is
     *     nothing
     */
    public double quantile(double p) {
        double rank = p * count();
        if (!(count() > 0)) {
            return Double.NaN;
        }
        if (rank > measured() * (1 + 1e-12)) {
            return Double.POSITIVE_INFINITY;
        }
        int cell = firstReaching(rank);
        double before = cell == 0 ? 0 : cumulative[cell - 1];
        double within = Math.min(1, Math.max(0, (rank - before) / inCell(cell)));
        double lower = edges[cell];
        double upper = edges[cell + 1];
        return lower == 0 ? upper * within : lower * Math.pow(upper / lower, within);
    }

    /** The bucket around a latency: how far the truth may lie from what is interpolated. */
    public Bucket around(double seconds) {
        if (cumulative.length == 0 || !(seconds > edges[0]) || seconds > edges[edges.length - 1]) {
            return new Bucket(seconds, seconds, 0);
        }
        int found = Arrays.binarySearch(edges, seconds);
        int cell = found >= 0 ? found - 1 : -found - 2;
        return new Bucket(edges[cell], edges[cell + 1], inCell(cell));
    }

    private double[] counts() {
        double[] counts = new double[cumulative.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = inCell(i);
        }
        return counts;
    }

    private double inCell(int cell) {
        return cumulative[cell] - (cell == 0 ? 0 : cumulative[cell - 1]);
    }

    /** The first cell that holds something and up to whose end there are that many. */
    private int firstReaching(double rank) {
        int low = 0;
        int high = cumulative.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (cumulative[middle] >= rank && cumulative[middle] > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private static void spread(double[] edges, double[] counts, double lower, double upper, double count) {
        int first = Arrays.binarySearch(edges, lower);
        int end = Arrays.binarySearch(edges, upper);
        if (end == first + 1) {
            counts[first] += count;
            return;
        }
        double before = 0;
        for (int cell = first; cell < end; cell++) {
            double upTo = share(lower, upper, edges[cell + 1]);
            counts[cell] += count * (upTo - before);
            before = upTo;
        }
    }

    /** Which share of a bucket lies below a latency within it. */
    private static double share(double lower, double upper, double seconds) {
        return lower == 0 ? seconds / upper : Math.log(seconds / lower) / Math.log(upper / lower);
    }

    private static double[] distinct(double[] values) {
        Arrays.sort(values);
        int n = 0;
        for (double value : values) {
            if (n == 0 || value != values[n - 1]) {
                values[n++] = value;
            }
        }
        return Arrays.copyOf(values, n);
    }
}
