/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.split.TripReader;
import io.phasewise.canary.trip.Trip;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps the latencies that a ledger tells of, and the phases of its trips, in order. */
public final class RecordedLatencies implements LatencyRecorder, TripReader {
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
    public void delivered(Trip trip, Breakdown breakdown) {
        phases.add(breakdown.phases());
    }
}
