/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import java.util.List;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;

/**
 * How far the latencies of two windows differ as a whole.
 *
 * @param distance of Kolmogorov and Smirnov: the widest gap between the two shares of probes that
 *     took at most so long, 0 to 1
 * @param at the latency at which it is so wide, in seconds
 * @param chance that windows without a difference are so far apart, 0 to 1, with probes counted for
 *     what they are worth
 * @param slower how often a probe of the second window is slower than one of the first, ties
 *     counting half; 0.5 means no difference (Vargha and Delaney's A, 2000)
 */
public record TwoSamples(double distance, double at, double chance, double slower) {

    /**
     * The least effective number among these levels counts: the test must not be surer than its
     * weakest part.
     */
    private static final double[] LEVELS = {0.25, 0.5, 0.75, 0.9};

    /** Compares two windows; NaN all over where one has too few probes. */
    public static TwoSamples of(Percentiles before, Percentiles after) {
        double n = worth(before);
        double m = worth(after);
        Histogram a = before.total();
        Histogram b = after.total();
        Histogram edges = Histogram.sum(List.of(a, b));
        double distance = 0;
        double at = Double.NaN;
        double slower = 0;
        double belowA = 0;
        double belowB = 0;
        for (double edge : edges.edges()) {
            double shareA = a.atMost(edge) / a.count();
            double shareB = b.atMost(edge) / b.count();
            slower += (shareB - belowB) * (shareA + belowA) / 2;
            belowA = shareA;
            belowB = shareB;
            if (Math.abs(shareA - shareB) > distance) {
                distance = Math.abs(shareA - shareB);
                at = edge;
            }
        }
        // Lost probes are slower than all that came, and as slow as each other.
        slower += (1 - belowB) * (1 + belowA) / 2;
        if (!(n >= 2) || !(m >= 2)) {
            return new TwoSamples(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double chance =
                new KolmogorovSmirnovTest()
                        .approximateP(
                                distance,
                                (int) Math.min(n, Integer.MAX_VALUE),
                                (int) Math.min(m, Integer.MAX_VALUE));
        return new TwoSamples(distance, at, Math.max(0, Math.min(1, chance)), slower);
    }

    private static double worth(Percentiles percentiles) {
        double least = Double.POSITIVE_INFINITY;
        for (double p : LEVELS) {
            least = Math.min(least, percentiles.effective(p, 0.95));
        }
        return least;
    }
}
