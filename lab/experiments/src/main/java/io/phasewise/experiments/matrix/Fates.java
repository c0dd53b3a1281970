/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.measure.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How a canary's probes ended, told apart by the time at which they were due, whenever they ended;
 * pure but for what is added to it. Where the lines come from is left to {@link FateLog}.
 */
final class Fates {
    /** Probes are as good as before when they are for so long. */
    static final Duration RECOVERED_FOR = Duration.ofSeconds(2);

    /** As large a share of them is good, all but for so much. */
    static final double AS_BEFORE = 0.9;

    static final List<String> OUTCOMES = List.of("delivered", "late", "lost", "send_failed");

    private final Map<Integer, TreeMap<Long, Fate>> partitions = new HashMap<>();
    private int contradictions;

    /**
     * Notes an end. A probe that was written off and came back later has two lines, and one end.
     */
    void add(Fate fate) {
        partitions
                .computeIfAbsent(fate.partition(), p -> new TreeMap<>())
                .merge(fate.sequence(), fate, this::merged);
    }

    private Fate merged(Fate earlier, Fate later) {
        if (!earlier.outcome().equals(later.outcome()) || earlier.back().isPresent()) {
            contradictions++;
        }
        return later.back().isPresent() ? later : earlier;
    }

    /** Probes of which the log told two ends. */
    int contradictions() {
        return contradictions;
    }

    /** Those that were due from one instant until before another, in that order. */
    List<Fate> due(Instant from, Instant to) {
        List<Fate> due = new ArrayList<>();
        for (TreeMap<Long, Fate> partition : partitions.values()) {
            for (Fate fate : partition.values()) {
                if (!fate.due().isBefore(from) && fate.due().isBefore(to)) {
                    due.add(fate);
                }
            }
        }
        due.sort(Comparator.comparing(Fate::due));
        return due;
    }

    /**
     * Whether all probes that were due before an instant have ended: of every partition, all
     * numbers up to one that was due later.
     */
    boolean ended(Instant before) {
        for (TreeMap<Long, Fate> partition : partitions.values()) {
            long next = 0;
            Instant upTo = Instant.MIN;
            for (Map.Entry<Long, Fate> fate : partition.entrySet()) {
                if (fate.getKey() != next) {
                    break;
                }
                next++;
                upTo = fate.getValue().due();
            }
            if (upTo.isBefore(before)) {
                return false;
            }
        }
        return !partitions.isEmpty();
    }

    /**
     * When probes were as good as before again: the earliest due instant after the mending from
     * which on, for {@link #RECOVERED_FOR}, every leader of before has probes and at least {@link
     * #AS_BEFORE} of the share of before is good.
     *
     * @param lifted when the mending began
     * @param goodMillis a probe is good when it was delivered within that
     * @return empty while that cannot be said
     */
    Optional<Instant> recovered(Instant lifted, List<Fate> before, double goodMillis) {
        Set<Integer> leaders = leaders(before);
        double wanted = AS_BEFORE * share(before, fate -> fate.within(goodMillis));
        List<Fate> since = due(lifted, Instant.MAX);
        for (int i = 0; i < since.size(); i++) {
            Instant from = since.get(i).due();
            Instant to = from.plus(RECOVERED_FOR);
            List<Fate> stretch =
                    since.subList(i, since.size()).stream()
                            .takeWhile(fate -> fate.due().isBefore(to))
                            .toList();
            if (share(stretch, fate -> fate.within(goodMillis)) >= wanted
                    && leaders(stretch).containsAll(leaders)) {
                // What has not ended yet is of the stretch, too: it might not be good.
                return ended(to) ? Optional.of(from) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Set<Integer> leaders(List<Fate> fates) {
        return fates.stream().map(Fate::leader).collect(Collectors.toSet());
    }

    /** The share of some probes that are so; 0 when there are none. */
    static double share(List<Fate> fates, Predicate<Fate> so) {
        return fates.isEmpty() ? 0 : (double) fates.stream().filter(so).count() / fates.size();
    }

    /** How many ended how, every outcome named. */
    static Map<String, Long> outcomes(List<Fate> fates) {
        Map<String, Long> outcomes = new LinkedHashMap<>();
        OUTCOMES.forEach(
                outcome ->
                        outcomes.put(
                                outcome,
                                fates.stream().filter(f -> f.outcome().equals(outcome)).count()));
        return outcomes;
    }

    /** Mean of every phase over those that came back, milliseconds; NaN when none did. */
    static Map<Phase, Double> means(List<Fate> fates) {
        Map<Phase, Double> means = new EnumMap<>(Phase.class);
        for (Phase phase : Phase.values()) {
            means.put(
                    phase,
                    fates.stream()
                            .flatMap(fate -> fate.back().stream())
                            .mapToDouble(probe -> probe.phases()[phase.ordinal()])
                            .average()
                            .orElse(Double.NaN));
        }
        return means;
    }

    /** Those of some leaders. */
    static List<Fate> of(Set<Integer> leaders, List<Fate> fates) {
        return fates.stream().filter(fate -> leaders.contains(fate.leader())).toList();
    }
}
