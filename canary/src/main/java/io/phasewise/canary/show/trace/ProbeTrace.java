/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Outcome;
import java.util.List;

/**
 * A probe on its way to become a trace, with all that the trace says.
 *
 * @param id of the trace
 * @param probe its name; see {@link io.phasewise.canary.probe.ProbeId}
 * @param source where it belongs
 * @param place where its record lies
 * @param outcome delivered or late; lost or send_failed when it came back after that
 * @param slow whether it took longer than the SLO target
 * @param dueEpochNanos T0 by the canary's wall clock, nanoseconds since 1970
 * @param breakdown its instants by the canary's monotonic clock, and its phases
 * @param waitedNanos how long it waited behind others
 * @param stalled whether the canary's own process was paused on its way
 */
record ProbeTrace(
        TraceId id,
        String probe,
        Source source,
        Place place,
        Outcome outcome,
        boolean slow,
        long dueEpochNanos,
        Breakdown breakdown,
        long waitedNanos,
        boolean stalled) {
    /** T0 to T5. */
    Instants instants() {
        return breakdown.instants();
    }

    /** They sum to T5 - T0. */
    PhaseBreakdown phases() {
        return breakdown.phases();
    }

    /**
     * What all probes of a cluster and profile share.
     *
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     * @param topic where the probes go
     * @param instance of the canary that sends them
     * @param mirrored whether they are read in another cluster
     */
    record Source(String cluster, String profile, String topic, long instance, boolean mirrored) {}

    /**
     * Where a probe's record lies.
     *
     * @param leader the broker that led its partition when it was scheduled
     * @param partition its partition
     * @param offset where it lies there
     * @param inSync the partition's in-sync replicas at the last look, seconds ago at most; empty
     *     when not known
     */
    record Place(int leader, int partition, long offset, List<Integer> inSync) {}
}
