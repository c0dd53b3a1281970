/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.statistics;

/**
 * An estimate with its 95 % interval.
 *
 * @param estimate of all data
 * @param low lower end
 * @param high upper end
 */
public record Interval(double estimate, double low, double high) {

    /** Whether a value lies outside. */
    public boolean excludes(double value) {
        return value < low || value > high;
    }
}
