/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.run.Turn;
import io.phasewise.experiments.statistics.Comparer;
import io.phasewise.experiments.statistics.Comparison;
import io.phasewise.experiments.statistics.Percentile;
import io.phasewise.experiments.statistics.Summary;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an experiment showed, with all it takes to do it again.
 *
 * @param experiment what was asked
 * @param command that runs it again
 * @param pace of the turns
 * @param plan what was run
 * @param circumstances machine, versions, load: names to values, for people
 * @param started when
 * @param turns in the order in which they were run
 * @param summaries of the variants, in the plan's order
 * @param percentiles of each variant, by its name, as far as its probes suffice
 * @param comparisons of the plan's pairs
 */
public record Result(
        Experiment experiment,
        String command,
        Pace pace,
        Plan plan,
        Map<String, String> circumstances,
        Instant started,
        List<Turn> turns,
        List<Summary> summaries,
        Map<String, List<Percentile>> percentiles,
        List<Comparison> comparisons) {

    /** Works the figures out of the turns. */
    public static Result of(
            Experiment experiment,
            String command,
            Pace pace,
            Plan plan,
            Map<String, String> circumstances,
            Instant started,
            List<Turn> turns,
            Comparer comparer) {
        Map<String, List<Turn>> byVariant = new LinkedHashMap<>();
        Map<String, List<Percentile>> percentiles = new LinkedHashMap<>();
        plan.variants()
                .forEach(
                        variant -> {
                            List<Turn> own =
                                    turns.stream()
                                            .filter(t -> t.variant().equals(variant.name()))
                                            .toList();
                            byVariant.put(variant.name(), own);
                            percentiles.put(variant.name(), comparer.percentiles(own));
                        });
        return new Result(
                experiment,
                command,
                pace,
                plan,
                circumstances,
                started,
                turns,
                byVariant.values().stream().map(Summary::of).toList(),
                percentiles,
                plan.pairs().stream()
                        .map(
                                pair ->
                                        comparer.compare(
                                                byVariant.get(pair.baseline()),
                                                byVariant.get(pair.treatment())))
                        .toList());
    }
}
