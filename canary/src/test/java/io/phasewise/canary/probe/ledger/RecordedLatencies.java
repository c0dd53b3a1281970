/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.PhaseBreakdown;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the latencies that a ledger tells of, in order. */
public final class RecordedLatencies implements LatencyRecorder {
    public final List<Long> endToEnd = new CopyOnWriteArrayList<>();
    public final List<Long> producer = new CopyOnWriteArrayList<>();
    public final List<PhaseBreakdown> phases = new CopyOnWriteArrayList<>();

    @Override
    public void endToEnd(Probe probe, long nanos) {
        endToEnd.add(nanos);
    }

    @Override
    public void producer(long nanos) {
        producer.add(nanos);
    }

    @Override
    public void phases(Probe probe, Breakdown breakdown) {
        phases.add(breakdown.phases());
    }
}
