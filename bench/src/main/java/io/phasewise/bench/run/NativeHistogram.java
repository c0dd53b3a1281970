/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import java.util.Map;
import java.util.TreeMap;

/**
 * A native histogram as it was scraped, for positive values: bucket i holds those in (2^((i-1) /
 * 2^schema), 2^(i / 2^schema)]. Can be added up over series and subtracted between scrapes; where
 * it came from is left to {@link Scrape}. Immutable.
 *
 * @param schema the finer the higher; 6 means buckets 1.09 % wide
 * @param buckets counts by index, those of zero left out
 * @param zero how many values were zero
 * @param sum of all values
 */
public record NativeHistogram(int schema, Map<Integer, Long> buckets, long zero, double sum) {
    /** Fineness of an empty one: that of the canary's histograms. */
    static final int CANARY_SCHEMA = 6;

    /** Without a value. */
    public static NativeHistogram empty() {
        return new NativeHistogram(CANARY_SCHEMA, Map.of(), 0, 0);
    }

    /** All values of this and the other, as fine as the coarser of both. */
    public NativeHistogram plus(NativeHistogram other) {
        return combined(other, 1);
    }

    /** The values that came since an earlier scrape of the same series. */
    public NativeHistogram minus(NativeHistogram earlier) {
        return combined(earlier, -1);
    }

    private NativeHistogram combined(NativeHistogram other, int sign) {
        int common = Math.min(schema, other.schema);
        Map<Integer, Long> all = new TreeMap<>(coarser(common));
        other.coarser(common).forEach((i, n) -> all.merge(i, sign * n, Long::sum));
        all.values().removeIf(n -> n == 0);
        return new NativeHistogram(common, all, zero + sign * other.zero, sum + sign * other.sum);
    }

    private Map<Integer, Long> coarser(int to) {
        if (to == schema) {
            return buckets;
        }
        Map<Integer, Long> merged = new TreeMap<>();
        int shift = schema - to;
        buckets.forEach((i, n) -> merged.merge((i - 1 >> shift) + 1, n, Long::sum));
        return merged;
    }

    /** How many values. */
    public long count() {
        return zero + buckets.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The mean, exact; NaN without a value. */
    public double mean() {
        return count() == 0 ? Double.NaN : sum / count();
    }

    /**
     * The value below which a share of all lies, interpolated on a logarithmic scale as Prometheus
     * does.
     *
     * @param share from 0 to 1
     * @return NaN without a value
     */
    public double quantile(double share) {
        long count = count();
        if (count == 0) {
            return Double.NaN;
        }
        double rank = share * count;
        double below = zero;
        if (rank <= below) {
            return 0;
        }
        double last = 0;
        for (Map.Entry<Integer, Long> bucket : new TreeMap<>(buckets).entrySet()) {
            double within = (rank - below) / bucket.getValue();
            last = bound(bucket.getKey() - 1 + Math.min(1, within));
            if (within <= 1) {
                return last;
            }
            below += bucket.getValue();
        }
        return last;
    }

    private double bound(double index) {
        return Math.pow(2, index / Math.pow(2, schema));
    }
}
