/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import io.phasewise.common.prometheus.Sample;
import io.phasewise.lab.junit.SeriesKind;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Counts the series that a Prometheus has of canaries, of brokers and of rules at one instant, by
 * what they grow with.
 */
final class SeriesCensus {
    private static final String LABELS = Stream.concat(
                    Stream.of("__name__", "job", "partition", "node_id"),
                    Stream.of(SeriesKind.values()).flatMap(kind -> kind.unit().stream()))
            .distinct()
            .collect(Collectors.joining(", "));

    /** None of these is there before what it says has happened once: they come one by one, up to their bound. */
    static final String COME_BY_AND_BY = "kafka_canary_(undelivered_)?wait_seconds_total|kafka_canary_suspect_seconds"
            + "|kafka_canary:suspect_seconds:held2m";

    private final Map<SeriesKind, Integer> series = new EnumMap<>(SeriesKind.class);
    private final Map<SeriesKind, Set<Map<String, String>>> units = new EnumMap<>(SeriesKind.class);
    private boolean classic;

    /**
     * The query that counts them; a count is a number also when the series are histograms.
     *
     * @param but a regular expression of names that are left out
     * @param before how long ago
     */
    static String query(String but, Duration before) {
        String then = " offset " + before.toSeconds() + "s";
        String others = "__name__!~\"ALERTS|ALERTS_FOR_STATE|" + but + "\"";
        return "count by (" + LABELS + ") ("
                + "{job=~\"kafka-canary|kafka-broker\", " + others + "}" + then
                + " or {__name__=~\"kafka_(canary|broker):.*\", " + others + "}" + then + ")";
    }

    /**
     * @param groups the answer to {@link #query}
     */
    SeriesCensus(Collection<Sample> groups) {
        for (Sample group : groups) {
            SeriesKind.of(group.labels()).ifPresent(kind -> add(kind, group));
        }
    }

    private void add(SeriesKind kind, Sample group) {
        classic |= group.labels().get("__name__").endsWith("_seconds_bucket");
        series.merge(kind, (int) group.value(), Integer::sum);
        kind.unitOf(group.labels())
                .ifPresent(unit ->
                        units.computeIfAbsent(kind, k -> new HashSet<>()).add(unit));
    }

    /** Whether the histograms have a series for each bucket. */
    boolean isClassic() {
        return classic;
    }

    /** How many there are of what the kind grows with, for instance brokers or leaders. */
    int units(SeriesKind kind) {
        return units.getOrDefault(kind, Set.of()).size();
    }

    /** Mean number of series for one of them; 0 when there is none. */
    double each(SeriesKind kind) {
        return units(kind) == 0 ? 0 : (double) series.get(kind) / units(kind);
    }
}
