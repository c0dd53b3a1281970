/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe;

/**
 * An endless series of due instants for one partition; keeping to them is left to {@link
 * Scheduler}.
 *
 * <p>Implementations know no clock: the series depends on its start, rate and seed alone.
 */
public interface Arrivals {
    /**
     * The next due instant, in nanoseconds on the clock that the start was given in; never before
     * the last one.
     */
    long next();
}
