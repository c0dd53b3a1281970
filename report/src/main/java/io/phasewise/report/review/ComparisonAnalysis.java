/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import io.phasewise.report.review.Comparison.Change;
import io.phasewise.report.review.Comparison.Matched;
import io.phasewise.report.review.Comparison.Subject;
import io.phasewise.report.stats.Block;
import io.phasewise.report.stats.Difference;
import io.phasewise.report.stats.Holm;
import io.phasewise.report.stats.Matching;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * How two windows differ, hour of the week by hour of the week. A pure function of what was read.
 */
final class ComparisonAnalysis {

    private static final int DAY_HOURS = 24;

    private final Measured before;
    private final Measured after;
    private final ZoneId zone;

    ComparisonAnalysis(Measured before, Measured after, ZoneId zone) {
        this.before = before;
        this.after = after;
        this.zone = zone;
    }

    Comparison comparison() {
        LatencyAnalysis first = new LatencyAnalysis(before, zone);
        LatencyAnalysis second = new LatencyAnalysis(after, zone);
        Matching whole = matching(first.valid(first.withLost()), second.valid(second.withLost()));
        Map<String, Matching> matchings = new LinkedHashMap<>();
        matchings.put("end_to_end", whole);
        Set<PathPart> parts = new TreeSet<>(before.parts().keySet());
        parts.addAll(after.parts().keySet());
        for (PathPart part : parts) {
            matchings.put(
                    part.label(),
                    matching(
                            first.valid(before.parts().getOrDefault(part, List.of())),
                            second.valid(after.parts().getOrDefault(part, List.of()))));
        }
        return new Comparison(
                before.window(),
                before.form(),
                matched(),
                matched() == Matched.NOTHING ? 0 : whole.strata(),
                whole.left(),
                subjects(matchings));
    }

    private static List<Subject> subjects(Map<String, Matching> matchings) {
        List<Difference> differences = new ArrayList<>();
        List<Double> chances = new ArrayList<>();
        for (Matching matching : matchings.values()) {
            int freedom = Math.min(matching.before().freedom(), matching.after().freedom());
            for (double p : Comparison.LEVELS) {
                Difference difference =
                        Difference.of(
                                matching.before().at(p, Review.CONFIDENCE),
                                matching.after().at(p, Review.CONFIDENCE),
                                Review.CONFIDENCE);
                differences.add(difference);
                chances.add(difference.chance(Review.CONFIDENCE, freedom));
            }
        }
        double[] together = Holm.together(chances.stream().mapToDouble(d -> d).toArray());
        List<Subject> subjects = new ArrayList<>();
        int next = 0;
        for (Map.Entry<String, Matching> each : matchings.entrySet()) {
            List<Change> changes = new ArrayList<>();
            for (int level = 0; level < Comparison.LEVELS.size(); level++, next++) {
                changes.add(new Change(differences.get(next), together[next]));
            }
            subjects.add(new Subject(each.getKey(), changes));
        }
        return subjects;
    }

    private Matching matching(List<Block> first, List<Block> second) {
        ToIntFunction<Block> stratum =
                switch (matched()) {
                    case HOUR_OF_WEEK ->
                            block ->
                                    DAY_HOURS * (time(block).getDayOfWeek().getValue() - 1)
                                            + time(block).getHour();
                    case HOUR_OF_DAY -> block -> time(block).getHour();
                    case NOTHING -> block -> 0;
                };
        return Matching.of(
                first,
                second,
                stratum,
                atLeast(Duration.ofDays(3)) ? block -> time(block).getHour() : block -> 0);
    }

    private Matched matched() {
        if (atLeast(Duration.ofDays(7))) {
            return Matched.HOUR_OF_WEEK;
        }
        return atLeast(Duration.ofDays(1)) ? Matched.HOUR_OF_DAY : Matched.NOTHING;
    }

    /** Whether both windows are that long; blocks are then no longer than an hour. */
    private boolean atLeast(Duration length) {
        return before.window().length().compareTo(length) >= 0
                && after.window().length().compareTo(length) >= 0;
    }

    private ZonedDateTime time(Block block) {
        return block.start().atZone(zone);
    }
}
