/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account.suspect;

import io.phasewise.common.phase.Phase;
import io.phasewise.common.phase.Role;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whom probes wait for longer than usual.
 *
 * @param broker its id; {@link io.phasewise.canary.account.Account#NO_BROKER} for the canary itself, for the canary's
 *     own network path, and for the controller
 * @param role what of it; never unknown
 * @param phases seconds that a probe waits in excess of what is usual, more than 0, by phase; those of the leader whose
 *     probes wait longest. A phase with less than a tenth of the excess is left out
 * @param leaders whose probes wait, ascending; at least one
 * @param sinceNanos when the excess began, monotonic nanoseconds
 */
public record Suspect(int broker, Role role, Map<Phase, Double> phases, List<Integer> leaders, long sinceNanos) {
    /** Longest wait first; where two are alike, the lower broker, then the earlier role. */
    static final Comparator<Suspect> ORDER = Comparator.comparingDouble(Suspect::seconds)
            .reversed()
            .thenComparingInt(Suspect::broker)
            .thenComparing(Suspect::role);

    public Suspect {
        phases = Collections.unmodifiableMap(new EnumMap<>(phases));
        leaders = List.copyOf(leaders);
    }

    /** Seconds that a probe waits in excess of what is usual, all phases together. */
    public double seconds() {
        return phases.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * One list of what several profiles of a cluster name: of each broker and role the longest wait, all leaders, and the
     * earliest begin.
     *
     * @return longest wait first; no more than of one profile
     */
    public static List<Suspect> merged(Collection<List<Suspect>> named) {
        Map<Whom, Suspect> all = new TreeMap<>();
        named.forEach(
                list -> list.forEach(each -> all.merge(new Whom(each.broker, each.role), each, Suspect::mergedWith)));
        return bounded(new ArrayList<>(all.values()));
    }

    /** Longest wait first: {@link Suspects#MOST_NAMED} at most, and none that is small beside the longest. */
    static List<Suspect> bounded(List<Suspect> all) {
        all.sort(ORDER);
        return all.stream()
                .filter(each ->
                        each.seconds() >= Suspects.LEAST_SHARE * all.get(0).seconds())
                .limit(Suspects.MOST_NAMED)
                .toList();
    }

    private Suspect mergedWith(Suspect other) {
        TreeSet<Integer> all = new TreeSet<>(leaders);
        all.addAll(other.leaders);
        return new Suspect(
                broker,
                role,
                other.seconds() > seconds() ? other.phases : phases,
                List.copyOf(all),
                Math.min(sinceNanos, other.sinceNanos));
    }
}
