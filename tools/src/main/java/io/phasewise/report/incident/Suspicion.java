/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.incident;

import io.phasewise.common.phase.Phase;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Which phase grew most in an incident, and which broker that points at.
 *
 * @param phase whose mean grew most for some leader; null where nothing grew
 * @param growth by how much, in seconds
 * @param broker suspected; empty where nothing points at one
 * @param reason in a few words
 */
record Suspicion(Phase phase, double growth, String broker, String reason) {

    private static final Suspicion NONE = new Suspicion(null, Double.NaN, "", "");

    /**
     * A broker that lost more than this share of all lost probes is the suspect, whatever the
     * phases say.
     */
    private static final double MOST = 0.5;

    /** A leader whose growth is below this share of the largest growth was spared. */
    private static final double SPARED = 0.25;

    private static final String LOST = "its probes were lost";

    /**
     * Whom the rules named (kafka_suspect).
     *
     * @param seconds that probes waited for it, added up over the incident
     */
    record RuleSuspect(String broker, String role, String phase, String source, double seconds) {

        private boolean known() {
            return !broker.equals("several") && !role.equals("unknown") && !role.equals("several");
        }
    }

    /** The same growth, for a reason that is no broker. */
    Suspicion withoutBroker(String other) {
        return new Suspicion(phase, growth, "", other);
    }

    /**
     * Whom the rules named for the most time. They decide who is named; only where they recorded
     * nothing is it worked out here.
     */
    Suspicion named(List<RuleSuspect> suspects) {
        if (suspects.isEmpty()) {
            return this;
        }
        Optional<RuleSuspect> most =
                suspects.stream().filter(RuleSuspect::known).max(Comparator.comparingDouble(RuleSuspect::seconds));
        if (most.isPresent()) {
            RuleSuspect one = most.get();
            String how = one.source().equals("inferred") ? "inferred" : "as brokers report";
            String why = "%s, in %s (%s)".formatted(one.role(), one.phase(), how);
            return new Suspicion(phase, growth, one.broker(), why);
        }
        return reason.equals(LOST) ? this : withoutBroker("no single broker, by what was recorded");
    }

    /**
     * Finds the suspect.
     *
     * @param growth of the phases' means by leader, in seconds
     * @param lost probes by leader that never came
     */
    static Suspicion of(SortedMap<String, Map<Phase, Double>> growth, SortedMap<String, Double> lost) {
        double all = lost.values().stream().mapToDouble(v -> v).sum();
        Optional<String> loser = lost.entrySet().stream()
                .filter(each -> each.getValue() >= 1 && each.getValue() > MOST * all)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
        Map<Phase, Double> most = new EnumMap<>(Phase.class);
        growth.values().forEach(phases -> phases.forEach((phase, by) -> most.merge(phase, by, Math::max)));
        Optional<Map.Entry<Phase, Double>> largest =
                most.entrySet().stream().filter(each -> each.getValue() > 0).max(Map.Entry.comparingByValue());
        if (largest.isEmpty()) {
            return loser.map(id -> new Suspicion(null, Double.NaN, id, LOST)).orElse(NONE);
        }
        Phase phase = largest.get().getKey();
        double seconds = largest.get().getValue();
        if (loser.isPresent()) {
            return new Suspicion(phase, seconds, loser.get(), LOST);
        }
        if (phase == Phase.COMMIT && growth.size() > 2) {
            // A slow follower holds up all leaders but itself.
            List<String> spared = growth.keySet().stream()
                    .filter(id -> of(growth, id, phase) < SPARED * seconds)
                    .toList();
            if (spared.size() == 1) {
                return new Suspicion(phase, seconds, spared.get(0), "all other leaders waited for a follower");
            }
        }
        String leader = growth.keySet().stream()
                .max(Comparator.comparingDouble(id -> of(growth, id, phase)))
                .orElseThrow();
        return new Suspicion(phase, seconds, leader, "it grew most for this leader");
    }

    private static double of(SortedMap<String, Map<Phase, Double>> growth, String leader, Phase phase) {
        return growth.get(leader).getOrDefault(phase, 0.0);
    }
}
