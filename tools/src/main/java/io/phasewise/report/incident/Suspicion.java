/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.incident;

import io.phasewise.common.phase.Phase;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Which phase grew most in an incident, and whom the canary named in it.
 *
 * @param phase whose mean grew most for some leader; null where nothing grew
 * @param growth by how much, in seconds
 * @param broker suspected; empty where none is
 * @param reason who it is and why, in words; empty where nothing is known
 */
record Suspicion(Phase phase, double growth, String broker, String reason) {

    /** A leader that lost more than this share of all lost probes is the suspect where nobody is named. */
    private static final double MOST = 0.5;

    /**
     * Whom the canary named (kafka_suspect).
     *
     * @param who in its words; empty in the history of a version that named by rules
     * @param source in that history alone: {@code broker}, or {@code inferred}, which was a guess
     * @param seconds that probes waited for it, added up over the incident
     */
    record Named(String broker, String role, String phase, String who, String source, double seconds) {

        /** Whether it is somebody: the rules of before also had several and unknown. */
        private boolean known() {
            return !role.equals("several") && !role.equals("unknown");
        }

        private String words() {
            if (!who.isEmpty()) {
                return who;
            }
            return "Broker %s: %s%s"
                    .formatted(broker, role, source.equals("inferred") ? ", a guess from latencies alone" : "");
        }
    }

    /** The same growth, for a reason that is no broker. */
    Suspicion withoutBroker(String other) {
        return new Suspicion(phase, growth, "", other);
    }

    /** Whom probes waited for most of those that were named. The same where nobody was. */
    Suspicion named(List<Named> all) {
        Map<String, List<Named>> byWords = all.stream()
                .filter(Named::known)
                .collect(Collectors.groupingBy(Named::words, TreeMap::new, Collectors.toList()));
        return byWords.entrySet().stream()
                .max(Comparator.comparingDouble(each ->
                        each.getValue().stream().mapToDouble(Named::seconds).sum()))
                .map(most -> new Suspicion(phase, growth, broker(most.getValue()), most.getKey() + in(most.getValue())))
                .orElse(this);
    }

    /** The canary's own path and a controller that is not known are no broker. */
    private static String broker(List<Named> one) {
        String label = one.get(0).broker();
        return label.matches("\\d+") ? label : "";
    }

    private static String in(List<Named> one) {
        return one.stream().map(Named::phase).distinct().sorted().collect(Collectors.joining(" and ", ", in ", ""));
    }

    /**
     * What can be said where nobody was named: it points at a broker only where probes were lost.
     *
     * @param growth of the phases' means by leader, in seconds
     * @param lost probes by leader that never came
     */
    static Suspicion of(SortedMap<String, Map<Phase, Double>> growth, SortedMap<String, Double> lost) {
        Phase phase = null;
        double most = 0;
        String leader = "";
        for (Map.Entry<String, Map<Phase, Double>> each : growth.entrySet()) {
            for (Map.Entry<Phase, Double> grown : each.getValue().entrySet()) {
                if (grown.getValue() > most) {
                    phase = grown.getKey();
                    most = grown.getValue();
                    leader = each.getKey();
                }
            }
        }
        double seconds = phase == null ? Double.NaN : most;
        double all = lost.values().stream().mapToDouble(v -> v).sum();
        Optional<String> loser = lost.entrySet().stream()
                .filter(each -> each.getValue() >= 1 && each.getValue() > MOST * all)
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
        if (loser.isPresent()) {
            return new Suspicion(phase, seconds, loser.get(), "Broker " + loser.get() + ": its probes were lost");
        }
        String nobody = phase == null ? "" : "nobody was named; it grew most for leader " + leader;
        return new Suspicion(phase, seconds, "", nobody);
    }
}
