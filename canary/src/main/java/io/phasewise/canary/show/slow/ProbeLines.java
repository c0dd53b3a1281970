/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.common.phase.Phase;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The log's lines about probes: what happened, then key=value pairs that a log store can take apart
 * (logfmt). Durations carry their unit; instants after T0 are counted from it. When a line is
 * written is left to others.
 */
public final class ProbeLines {
    private final String whose;

    /**
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     */
    public ProbeLines(String cluster, String profile) {
        this.whose = "cluster=" + cluster + " profile=" + profile;
    }

    String slow(SlowProbe probe) {
        Instants at = probe.instants();
        StringBuilder line = begin("slow", probe.id(), probe.leader(), probe.partition())
                .append(" offset=")
                .append(probe.offset());
        addOutcome(line, probe.outcome(), probe.due());
        add(line, "end_to_end", probe.endToEndNanos());
        for (Phase phase : Phase.values()) {
            add(line, phase.label(), probe.phases().of(phase));
        }
        at.steps().forEach((step, nanos) -> add(line, step, (long) nanos));
        add(line, "acknowledged", probe.acknowledgedNanos());
        add(line, "waited", probe.waitedNanos());
        probe.breakdown().marked().ifPresent(marked -> {
            marked.leaderInstants().since(at.t0()).forEach((step, nanos) -> add(line, step, (long) nanos));
            add(line, "uncertainty", marked.uncertaintyNanos());
        });
        line.append(" stalled=").append(probe.stalledNanos() > 0);
        add(line, "stalled_for", probe.stalledNanos());
        return line.toString();
    }

    String undelivered(UndeliveredProbe probe) {
        StringBuilder line = begin("undelivered", probe.id(), probe.leader(), probe.partition());
        addOutcome(line, probe.outcome(), probe.due());
        add(line, "dispatched", probe.dispatchedNanos());
        add(line, "acknowledged", probe.acknowledgedNanos());
        return line.toString();
    }

    private StringBuilder begin(String kind, String id, int leader, int partition) {
        return new StringBuilder(400)
                .append("%s probe id=%s %s leader=%s partition=%s".formatted(kind, id, whose, leader, partition));
    }

    private static void addOutcome(StringBuilder line, Outcome outcome, Instant due) {
        line.append(" outcome=").append(outcome.label()).append(" due=").append(due);
    }

    String leftOut(long count) {
        return "slow and undelivered probes not logged in the last minute (rate limit) %s count=%s"
                .formatted(whose, count);
    }

    private static void add(StringBuilder line, String key, OptionalLong nanos) {
        if (nanos.isPresent()) {
            add(line, key, nanos.getAsLong());
        } else {
            line.append(' ').append(key).append("=never");
        }
    }

    private static void add(StringBuilder line, String key, long nanos) {
        line.append(String.format(Locale.ROOT, " %s=%.3fms", key, nanos / 1e6));
    }
}
