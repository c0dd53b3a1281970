/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.common.phase.Phase;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A probe that came back, with all that is known of it.
 *
 * @param id see {@link io.phasewise.canary.probe.ProbeId}
 * @param leader the broker that led its partition when it was scheduled
 * @param partition its partition
 * @param offset where it lies there
 * @param outcome delivered or late; lost or send_failed when it came back after that
 * @param due T0 by the canary's wall clock
 * @param breakdown its instants by the canary's monotonic clock, and its phases
 * @param acknowledgedNanos from T0 to its acknowledgement; empty where none came
 * @param waitedNanos how long it waited behind others: for a lane or, pipelined, for earlier
 *     requests
 * @param stalledNanos how long the canary's own process was paused on its way
 */
public record SlowProbe(
        String id,
        int leader,
        int partition,
        long offset,
        Outcome outcome,
        Instant due,
        Breakdown breakdown,
        OptionalLong acknowledgedNanos,
        long waitedNanos,
        long stalledNanos) {
    /** T0 to T5. */
    public Instants instants() {
        return breakdown.instants();
    }

    /** They sum to T5 - T0. */
    public PhaseBreakdown phases() {
        return breakdown.phases();
    }

    /** Its latency, T5 - T0. */
    public long endToEndNanos() {
        return instants().t5() - instants().t0();
    }

    /** As the status shows it, by the names there. */
    public Map<String, Object> shown() {
        Map<String, Object> sinceDue = new LinkedHashMap<>();
        sinceDue.put("scheduled", 0);
        sinceDue.putAll(instants().steps());
        sinceDue.put("delivered", endToEndNanos());
        sinceDue.put("acknowledged", acknowledgedNanos);
        breakdown
                .marked()
                .ifPresent(by ->
                        sinceDue.putAll(by.leaderInstants().since(instants().t0())));
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", id);
        shown.put("leader", leader);
        shown.put("partition", partition);
        shown.put("offset", offset);
        shown.put("outcome", outcome);
        shown.put("due", due);
        shown.put("endToEndNanos", endToEndNanos());
        shown.put("nanosSinceDue", sinceDue);
        shown.put("phaseSource", breakdown.marked().isPresent() ? "broker" : "estimate");
        breakdown.marked().ifPresent(by -> shown.put("uncertaintyNanos", by.uncertaintyNanos()));
        Map<String, Long> phaseNanos = new LinkedHashMap<>();
        for (Phase phase : Phase.values()) {
            phaseNanos.put(phase.label(), phases().of(phase));
        }
        shown.put("phaseNanos", phaseNanos);
        shown.put("waitedNanos", waitedNanos);
        shown.put("stalled", stalledNanos > 0);
        shown.put("stalledNanos", stalledNanos);
        return shown;
    }
}
