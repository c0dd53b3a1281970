/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A percentile of a variant's latencies with its 95 % interval, which shows how far down the tail
 * its probes reach; differences are claimed by {@link Comparer} alone.
 *
 * @param share 0 to 1
 * @param milliseconds the value and its interval; infinite where it falls among probes that did not
 *     come back. An upper end that would be the slowest probe of all is not known, and NaN
 */
public record Percentile(double share, Interval milliseconds) {
    /** Those that are looked for. */
    public static final List<Double> SHARES = List.of(0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999);

    private static final double TAIL = 0.025;

    /**
     * The least number of probes of which the slowest lies beyond the percentile in 975 of 1,000
     * cases, if they were independent; with fewer an interval has no upper end, and the percentile
     * is not given. Neighbours are alike, so that with more it may have none, either.
     */
    public static long needed(double share) {
        return (long) Math.ceil(Math.log(TAIL) / Math.log(share));
    }

    /**
     * Those for which there are enough probes. A turn alone holds too few for the tail, so
     * intervals are percentile bootstrap ones (Davison and Hinkley, "Bootstrap Methods and their
     * Application", 3.8): repeats are drawn first, then blocks within them. With few repeats these
     * are somewhat too narrow.
     */
    static List<Percentile> of(List<List<Block>> repeats, int draws, Random random) {
        double[] all = pooled(repeats);
        double[] shares =
                SHARES.stream()
                        .mapToDouble(Double::doubleValue)
                        .filter(share -> all.length >= needed(share))
                        .toArray();
        if (shares.length == 0) {
            return List.of();
        }
        double[][] drawn = new double[shares.length][draws];
        for (int i = 0; i < draws; i++) {
            List<List<Block>> again = new ArrayList<>();
            for (int r = 0; r < repeats.size(); r++) {
                again.add(draw(repeats.get(random.nextInt(repeats.size())), random));
            }
            double[] values = Summary.quantiles(pooled(again), shares);
            for (int q = 0; q < shares.length; q++) {
                drawn[q][i] = values[q];
            }
        }
        double[] found = Summary.quantiles(all, shares);
        double slowest = Arrays.stream(all).max().orElseThrow();
        List<Percentile> percentiles = new ArrayList<>();
        for (int q = 0; q < shares.length; q++) {
            double[] ends = Summary.quantiles(drawn[q], TAIL, 1 - TAIL);
            boolean open = Double.isFinite(slowest) && ends[1] >= slowest;
            percentiles.add(
                    new Percentile(
                            shares[q],
                            new Interval(found[q], ends[0], open ? Double.NaN : ends[1])));
        }
        return percentiles;
    }

    private static double[] pooled(List<List<Block>> repeats) {
        return Block.pooled(repeats.stream().flatMap(List::stream).toList());
    }

    private static List<Block> draw(List<Block> from, Random random) {
        List<Block> drawn = new ArrayList<>(from.size());
        for (int i = 0; i < from.size(); i++) {
            drawn.add(from.get(random.nextInt(from.size())));
        }
        return drawn;
    }
}
