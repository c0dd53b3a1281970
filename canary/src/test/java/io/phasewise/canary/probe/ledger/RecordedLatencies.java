/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.PhaseBreakdown;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps the latencies that a ledger tells of, in order. */
public final class RecordedLatencies implements LatencyRecorder {
    public final List<Long> endToEnd = Collections.synchronizedList(new ArrayList<>());
    public final List<Long> producer = Collections.synchronizedList(new ArrayList<>());
    public final List<PhaseBreakdown> phases = Collections.synchronizedList(new ArrayList<>());

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
