/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import java.time.Duration;

/**
 * Which probes of one cluster and profile become a trace: those slower than the SLO target, and one
 * in N of the others. The histograms' exemplars and {@link ProbeTracer} ask it, and get the same
 * answer without telling each other.
 *
 * @param instance of the canary that sends the probes
 * @param target a probe that took longer is slow
 * @param oneIn one in this many of the others is taken; 0 for none of them
 */
public record TraceRule(long instance, Duration target, int oneIn) {

    /**
     * Whether a probe that came back becomes a trace.
     *
     * @param latencyNanos what it took
     */
    public boolean takes(int partition, long sequence, long latencyNanos) {
        return slow(latencyNanos) || id(partition, sequence).oneIn(oneIn);
    }

    /** Whether a latency alone is reason enough. */
    boolean slow(long latencyNanos) {
        return latencyNanos > target.toNanos();
    }

    /** The name of a probe's trace. */
    public TraceId id(int partition, long sequence) {
        return TraceId.of(instance, partition, sequence);
    }
}
