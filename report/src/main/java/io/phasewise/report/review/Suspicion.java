/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Which phase, or the mirror, grew most in an incident, and which broker that points at.
 *
 * @param part whose mean grew most by way of some leader; null where nothing grew
 * @param growth by how much, in seconds
 * @param broker suspected; empty where nothing points at one
 * @param reason in a few words
 */
record Suspicion(PathPart part, double growth, String broker, String reason) {

    private static final Suspicion NONE = new Suspicion(null, Double.NaN, "", "");

    /** A broker of whose probes more than this were lost is the one, whatever the others do. */
    private static final double MOST = 0.5;

    /** A leader whose growth is below this share of the largest does not share in it. */
    private static final double SPARED = 0.25;

    /** The same growth, for another reason than a broker. */
    Suspicion withoutBroker(String other) {
        return new Suspicion(part, growth, "", other);
    }

    /**
     * Points at one.
     *
     * @param growth of the parts' means by leader, in seconds
     * @param lost probes by leader that never came
     */
    static Suspicion of(
            SortedMap<String, Map<PathPart, Double>> growth, SortedMap<String, Double> lost) {
        double all = lost.values().stream().mapToDouble(v -> v).sum();
        Optional<Map.Entry<String, Double>> loser =
                lost.entrySet().stream()
                        .filter(each -> each.getValue() >= 1 && each.getValue() > MOST * all)
                        .max(Map.Entry.comparingByValue());
        Map<PathPart, Double> most = new EnumMap<>(PathPart.class);
        growth.values()
                .forEach(
                        parts ->
                                parts.forEach(
                                        (part, seconds) -> most.merge(part, seconds, Math::max)));
        Optional<Map.Entry<PathPart, Double>> largest =
                most.entrySet().stream()
                        .filter(each -> each.getValue() > 0)
                        .max(Map.Entry.comparingByValue());
        if (largest.isEmpty()) {
            return loser.map(
                            each ->
                                    new Suspicion(
                                            null,
                                            Double.NaN,
                                            each.getKey(),
                                            "its probes were lost"))
                    .orElse(NONE);
        }
        PathPart part = largest.get().getKey();
        double seconds = largest.get().getValue();
        boolean mirrored = most.containsKey(PathPart.MIRROR);
        if (mirrored && part.compareTo(PathPart.MIRROR) >= 0) {
            // Leaders are those of the source, which the probes had left.
            return new Suspicion(
                    part,
                    seconds,
                    "",
                    part == PathPart.MIRROR
                            ? "MirrorMaker, or its way between the clusters"
                            : "the cluster that the probes are read in");
        }
        if (loser.isPresent()) {
            return new Suspicion(part, seconds, loser.get().getKey(), "its probes were lost");
        }
        if (part == PathPart.COMMIT && growth.size() > 2) {
            // A slow follower holds up all leaders but itself.
            List<String> spared =
                    growth.entrySet().stream()
                            .filter(
                                    each ->
                                            each.getValue().getOrDefault(part, 0.0)
                                                    < SPARED * seconds)
                            .map(Map.Entry::getKey)
                            .toList();
            if (spared.size() == 1) {
                return new Suspicion(
                        part, seconds, spared.get(0), "all other leaders waited for a follower");
            }
        }
        String leader =
                growth.entrySet().stream()
                        .max(
                                Comparator.comparingDouble(
                                        each -> each.getValue().getOrDefault(part, 0.0)))
                        .orElseThrow()
                        .getKey();
        return new Suspicion(part, seconds, leader, "it grew most by way of this leader");
    }
}
