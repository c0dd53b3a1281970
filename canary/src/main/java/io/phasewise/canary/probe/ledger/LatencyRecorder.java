/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

/**
 * Takes the latencies of one leader's probes as they become known; what is made of them is left to
 * the metrics.
 *
 * <p>{@link #endToEnd} is called while the ledger is locked: implementations must be quick and must not
 * call back.
 */
public interface LatencyRecorder {
    /**
     * A probe came back, in time or late, or even after it had been written off as lost or failed.
     *
     * @param probe the probe; {@link Probe#makeExemplar} makes it the exemplar of its phases, too
     * @param nanos from when it was due to when the consumer's poll() returned it
     */
    void endToEnd(Probe probe, long nanos);

    /**
     * The leader acknowledged a probe.
     *
     * @param nanos from when it was due to the acknowledgement
     */
    void producer(long nanos);
}
