/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A percentile of a variant's latencies with its 95 % interval, which shows how far into the tail
 * its probes reach. Only {@link Comparer} claims differences.
 *
 * @param share 0 to 1
 * @param milliseconds the value and its interval; infinite where it falls among probes that did
 *     not come back. The upper end is NaN, not known, where it would be the slowest probe of all
 */
public record Percentile(double share, Interval milliseconds) {

    /** The percentiles that are computed. */
    public static final List<Double> SHARES = List.of(0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999);

    private static final double TAIL = 0.025;

    /**
     * The percentiles for which there are enough probes. A single turn has too few for the tail, so
     * intervals are percentile bootstrap intervals (Davison and Hinkley, "Bootstrap Methods and
     * their Application", 3.8): repeats are drawn first, then blocks within them. With few repeats
     * the intervals are somewhat too narrow.
     *
     * @param repeats the blocks of each repeat
     */
    static List<Percentile> of(List<List<double[]>> repeats, int draws, Random random) {
        Latencies all = Latencies.pooled(repeats.stream().flatMap(List::stream).toList());
        double[] shares = SHARES.stream()
                .mapToDouble(Double::doubleValue)
                .filter(share -> all.values().length >= Latencies.needed(share))
                .toArray();
        double[][] drawn = new double[shares.length][draws];
        for (int i = 0; i < draws && shares.length > 0; i++) {
            double[] values = drawn(repeats, random).quantiles(shares);
            for (int q = 0; q < shares.length; q++) {
                drawn[q][i] = values[q];
            }
        }
        List<Percentile> percentiles = new ArrayList<>();
        for (int q = 0; q < shares.length; q++) {
            double[] ends = new Latencies(drawn[q]).quantiles(TAIL, 1 - TAIL);
            boolean open = Double.isFinite(all.max()) && ends[1] >= all.max();
            double high = open ? Double.NaN : ends[1];
            Interval interval = new Interval(all.quantile(shares[q]), ends[0], high);
            percentiles.add(new Percentile(shares[q], interval));
        }
        return percentiles;
    }

    private static Latencies drawn(List<List<double[]>> repeats, Random random) {
        List<double[]> again = new ArrayList<>();
        for (int repeat = 0; repeat < repeats.size(); repeat++) {
            List<double[]> from = repeats.get(random.nextInt(repeats.size()));
            for (int block = 0; block < from.size(); block++) {
                again.add(from.get(random.nextInt(from.size())));
            }
        }
        return Latencies.pooled(again);
    }
}
