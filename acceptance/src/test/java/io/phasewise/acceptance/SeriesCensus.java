/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.lab.series.SeriesKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The series that a Prometheus has of canaries, of brokers and of what is recorded of them, at one
 * instant, by what they grow with.
 */
final class SeriesCensus {
    private static final String SCRAPED =
            "{job=~\"kafka-canary|kafka-broker\", __name__!~\"ALERTS|ALERTS_FOR_STATE\"}";

    private static final String RECORDED = "{__name__=~\"kafka_(canary|broker):.*\"}";

    private final boolean classic;
    private final Map<SeriesKind, Count> counts;
    private final Map<SeriesKind, Set<Map<String, String>>> units;

    /**
     * One kind.
     *
     * @param series how many there are
     * @param units of how many brokers, leaders or whatever the kind grows with
     */
    public record Count(int series, int units) {
        /** Series of one of them; 0 when there is none. */
        public double each() {
            return units == 0 ? 0 : (double) series / units;
        }
    }

    private SeriesCensus(
            boolean classic,
            Map<SeriesKind, Count> counts,
            Map<SeriesKind, Set<Map<String, String>>> units) {
        this.classic = classic;
        this.counts = counts;
        this.units = units;
    }

    /**
     * Counts now.
     *
     * @throws IOException when Prometheus does not answer
     * @throws InterruptedException when interrupted
     */
    static SeriesCensus of(PrometheusClient prometheus) throws IOException, InterruptedException {
        Set<String> labels = new TreeSet<>(List.of("__name__", "job", "partition", "node_id"));
        for (SeriesKind kind : SeriesKind.values()) {
            labels.addAll(kind.unit());
        }
        // A count is a number also where the series are histograms.
        return of(
                prometheus.query(
                        "count by (%s) (%s or %s)"
                                .formatted(String.join(", ", labels), SCRAPED, RECORDED)));
    }

    /**
     * @param groups how many series there are of each combination of labels
     */
    static SeriesCensus of(Collection<Sample> groups) {
        Map<SeriesKind, Integer> all = new EnumMap<>(SeriesKind.class);
        Map<SeriesKind, Set<Map<String, String>>> units = new EnumMap<>(SeriesKind.class);
        boolean classic = false;
        for (Sample group : groups) {
            SeriesKind kind = SeriesKind.of(group.labels()).orElse(null);
            if (kind == null) {
                continue;
            }
            String name = group.labels().get("__name__");
            classic |= name.endsWith("_seconds_bucket");
            all.merge(kind, (int) group.value(), Integer::sum);
            kind.unitOf(group.labels())
                    .ifPresent(
                            unit ->
                                    units.computeIfAbsent(kind, unused -> new HashSet<>())
                                            .add(unit));
        }
        Map<SeriesKind, Count> counts = new EnumMap<>(SeriesKind.class);
        for (SeriesKind kind : SeriesKind.values()) {
            counts.put(
                    kind,
                    new Count(
                            all.getOrDefault(kind, 0), units.getOrDefault(kind, Set.of()).size()));
        }
        return new SeriesCensus(classic, counts, units);
    }

    /** Whether the histograms have a series for each bucket. */
    public boolean isClassic() {
        return classic;
    }

    /** One kind's; zeros where there are no such series. */
    public Count count(SeriesKind kind) {
        return counts.get(kind);
    }

    /**
     * How many series one of a kind may make on the mean: {@link SeriesKind#budget}, and what those
     * of mirrored profiles may have besides.
     */
    public double budget(SeriesKind kind) {
        int plain = kind.budget(classic);
        int all = count(kind).units();
        return all == 0 ? plain : plain + (double) kind.mirroredBesides() * mirrored(kind) / all;
    }

    /** Of how many of a kind the profile is mirrored. */
    private long mirrored(SeriesKind kind) {
        return units.getOrDefault(SeriesKind.MIRRORED_LEADER, Set.of()).stream()
                .map(kind::unitOf)
                .flatMap(Optional::stream)
                .distinct()
                .filter(units.getOrDefault(kind, Set.of())::contains)
                .count();
    }

    /** A sentence for each kind of which there are more series than the budget has. */
    public List<String> overBudget() {
        List<String> over = new ArrayList<>();
        counts.forEach(
                (kind, count) -> {
                    if (count.each() > budget(kind)) {
                        over.add(
                                String.format(
                                        Locale.ROOT,
                                        "%.1f series for each %s; the budget is %.1f",
                                        count.each(),
                                        kind.title(),
                                        budget(kind)));
                    }
                });
        return over;
    }
}
