/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

/** Drops every latency, for tests that are about something else. */
public enum SilentRecorder implements LatencyRecorder {
    INSTANCE;

    @Override
    public void endToEnd(Probe probe, long nanos) {}

    @Override
    public void producer(long nanos) {}

    @Override
    public void phases(Probe probe, Breakdown phases) {}
}
