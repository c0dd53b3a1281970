/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

/** Equal gaps, free of drift: instant n is computed from the start, not from instant n - 1. */
public final class UniformArrivals implements Arrivals {
    private final long start;
    private final double gapNanos;
    private long count;

    /**
     * @param startNanos the first arrival
     * @param ratePerSecond arrivals per second, more than 0
     */
    public UniformArrivals(long startNanos, double ratePerSecond) {
        this.start = startNanos;
        this.gapNanos = 1e9 / ratePerSecond;
    }

    @Override
    public long next() {
        return start + (long) (count++ * gapNanos);
    }
}
