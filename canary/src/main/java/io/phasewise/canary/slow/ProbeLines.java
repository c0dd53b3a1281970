/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.slow;

import io.phasewise.canary.phase.Instants;
import io.phasewise.canary.phase.Phase;
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
        StringBuilder line =
                new StringBuilder(400)
                        .append("slow probe id=")
                        .append(probe.id())
                        .append(' ')
                        .append(whose)
                        .append(" leader=")
                        .append(probe.leader())
                        .append(" partition=")
                        .append(probe.partition())
                        .append(" offset=")
                        .append(probe.offset())
                        .append(" outcome=")
                        .append(probe.outcome().label())
                        .append(" due=")
                        .append(probe.due());
        add(line, "end_to_end", probe.endToEndNanos());
        for (Phase phase : Phase.values()) {
            add(line, phase.label(), probe.phases().of(phase));
        }
        add(line, "dispatched", at.t1() - at.t0());
        add(line, "appended", at.t2() - at.t0());
        add(line, "committed", at.t3() - at.t0());
        add(line, "reached", at.t4() - at.t0());
        add(line, "waited", probe.waitedNanos());
        return line.append(" stalled=").append(probe.stalled()).toString();
    }

    String unseen(UnseenProbe probe) {
        StringBuilder line =
                new StringBuilder(300)
                        .append("unseen probe id=")
                        .append(probe.id())
                        .append(' ')
                        .append(whose)
                        .append(" leader=")
                        .append(probe.leader())
                        .append(" partition=")
                        .append(probe.partition())
                        .append(" outcome=")
                        .append(probe.outcome().label())
                        .append(" due=")
                        .append(probe.due());
        add(line, "dispatched", probe.dispatchedNanos());
        add(line, "acknowledged", probe.acknowledgedNanos());
        return line.toString();
    }

    String leftOut(long count) {
        return "slow and unseen probes left out of the log in the last minute "
                + whose
                + " count="
                + count;
    }

    private static void add(StringBuilder line, String key, OptionalLong nanos) {
        if (nanos.isPresent()) {
            add(line, key, nanos.getAsLong());
        } else {
            line.append(' ').append(key).append("=never");
        }
    }

    private static void add(StringBuilder line, String key, long nanos) {
        line.append(' ')
                .append(key)
                .append('=')
                .append(String.format(Locale.ROOT, "%.3fms", nanos / 1e6));
    }
}
