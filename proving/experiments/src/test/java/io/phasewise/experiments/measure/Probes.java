/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.time.Instant;
import java.util.Arrays;

/** Probes of leader 1, as a canary's log would tell of them. */
public final class Probes {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private Probes() {}

    /** One that came back in time, all of whose milliseconds are in publish. */
    public static ProbeRecord delivered(int partition, long sequence, Instant due, double millis) {
        double[] phases = {0, millis, 0, 0, 0};
        return new ProbeRecord(partition, sequence, 1, due, "delivered", millis, millis, phases, 0);
    }

    /** One that never came back. */
    public static ProbeRecord lost(int partition, long sequence, Instant due) {
        double[] unknown = new double[5];
        Arrays.fill(unknown, Double.NaN);
        return new ProbeRecord(partition, sequence, 1, due, "lost", NEVER, NEVER, unknown, 0);
    }
}
