/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prediction;

/**
 * Seconds that probes took together.
 *
 * @param seconds the sum, finite
 * @param count of probes, 0 or more; what Prometheus extrapolates need not be whole
 */
public record ProbeTime(double seconds, double count) {

    static final ProbeTime NONE = new ProbeTime(0, 0);

    /** Both together. */
    public ProbeTime plus(ProbeTime other) {
        return new ProbeTime(seconds + other.seconds, count + other.count);
    }

    /** Seconds of a probe; NaN when there is none. */
    double mean() {
        return seconds / count;
    }
}
