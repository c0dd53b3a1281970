/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

/**
 * Takes the latencies of one leader's probes as they become known; what is made of them is left to
 * the metrics.
 *
 * <p>Called while the ledger is locked (all but the phases): implementations must be quick and must
 * not call back.
 */
public interface LatencyRecorder {
    /**
     * A probe came back, in time or late, or even after it had been written off as lost or failed.
     *
     * @param probe the probe; {@link Probe#pick} makes it the exemplar of its phases, too
     * @param nanos from when it was due to when the consumer's poll() returned it
     */
    void endToEnd(Probe probe, long nanos);

    /**
     * The leader acknowledged a probe.
     *
     * @param nanos from when it was due to the acknowledgement
     */
    void producer(long nanos);

    /**
     * The phases of a probe whose end-to-end latency was recorded: once for each, at the same time
     * or as soon as its acknowledgement is known.
     *
     * @param probe the probe
     * @param breakdown with phases that sum to that latency
     */
    void phases(Probe probe, Breakdown breakdown);
}
