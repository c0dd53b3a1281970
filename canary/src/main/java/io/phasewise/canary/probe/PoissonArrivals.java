/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

import java.util.SplittableRandom;

/**
 * A Poisson process: independent, exponentially distributed gaps.
 *
 * <p>Poisson arrivals see time averages (Wolff, "Poisson Arrivals See Time Averages", Operations
 * Research 30(2), 1982), and cannot fall into step with a periodic stall.
 */
public final class PoissonArrivals implements Arrivals {
    private final SplittableRandom random;
    private final double meanGapNanos;
    private double elapsed;
    private final long start;

    /**
     * @param startNanos the process begins here; the first arrival follows after a random gap
     * @param ratePerSecond mean arrivals per second, more than 0
     * @param seed the same seed and stream give the same gaps
     * @param stream of the seed: each is independent of the others, also of those of a seed nearby
     */
    public PoissonArrivals(long startNanos, double ratePerSecond, long seed, int stream) {
        this.start = startNanos;
        this.meanGapNanos = 1e9 / ratePerSecond;
        // The seed is scattered first: stream 1 of seed 6 must not be stream 0 of seed 7.
        this.random = new SplittableRandom(new SplittableRandom(seed).nextLong() + stream);
    }

    @Override
    public long next() {
        // Inverse transform; 1 - u lies in (0, 1], so the logarithm is finite.
        elapsed -= Math.log(1 - random.nextDouble()) * meanGapNanos;
        return start + (long) elapsed;
    }
}
