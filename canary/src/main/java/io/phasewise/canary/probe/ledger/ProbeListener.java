/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

/**
 * Sees every probe once it is known in full, to remember the remarkable ones; counting is left to
 * the ledger, latencies to {@link LatencyRecorder}. Thread-safe.
 */
public interface ProbeListener {
    /**
     * A probe came back, and its latency has been taken apart. Called once for each, without the
     * ledger's lock, on the threads that measure: it must be quick and must not wait for anything.
     *
     * @param probe the probe
     * @param sending what the producer reported; null when it reported nothing in time
     * @param delivery what the consumer reported
     * @param breakdown its instants and phases
     */
    default void delivered(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {}

    /**
     * A probe ended without being seen; it may turn up later all the same. Called without the
     * ledger's lock, on the threads that measure.
     *
     * @param probe the probe
     * @param outcome lost or send_failed
     * @param sending what the producer has reported so far; null when nothing
     */
    default void undelivered(Probe probe, Outcome outcome, SendResult sending) {}
}
