/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.series;

import java.util.Collection;
import java.util.TreeSet;

/**
 * The boundaries of the latency histograms, chosen once for all of them so that they can be added
 * up.
 *
 * <p>Native form: schema 6, that is, buckets 1.09 % wide (2^(1/64)), so that no value lies further
 * than 0.55 % from the middle of its bucket, at any quantile. From 10 us to 60 s that is 1,445
 * buckets at the very most; a real series fills one or two hundred. Values up to 10 us go to the
 * zero bucket: they differ by no more than the clocks' noise, and without it the nanoseconds of a
 * phase that takes no time would fill the buckets and halve the resolution of its series.
 *
 * <p>Classic form: ten a decade from 100 us to 60 s, in the rounded preferred numbers of ISO 3
 * (R10), and every SLO target, so that the share of good probes can be read off a boundary instead
 * of being interpolated.
 */
final class Buckets {
    static final int NATIVE_SCHEMA = 6;

    /** From 10 us to 60 s: 22.5 powers of two, 64 buckets each. */
    static final int NATIVE_LIMIT = 1_445;

    static final double NATIVE_ZERO_SECONDS = 1e-5;

    private static final double[] R10 = {1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8};

    private Buckets() {}

    /** Classic upper bounds in seconds, ascending, without infinity. */
    static double[] classic(Collection<Double> targetSeconds) {
        TreeSet<Double> bounds = new TreeSet<>(targetSeconds);
        for (int exponent = -4; exponent <= 1; exponent++) {
            for (double digits : R10) {
                // Parsed, not multiplied: 1.6e-4 must be the double that prints as 1.6e-4.
                double bound = Double.parseDouble(digits + "e" + exponent);
                if (bound < 60) {
                    bounds.add(bound);
                }
            }
        }
        bounds.add(60.0);
        return bounds.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
