/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
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
 * @param parameters as used, defaults included
 * @param pace of the turns
 * @param plan what was run
 * @param surroundings machine, versions, configuration
 * @param started when
 * @param turns in the order in which they were run
 * @param summaries of the variants, in the plan's order
 * @param percentiles of each variant, by its name, as far as its probes suffice
 * @param comparisons of the plan's pairs
 */
public record Result(
        Experiment experiment,
        Map<String, String> parameters,
        Pace pace,
        Plan plan,
        Surroundings surroundings,
        Instant started,
        List<Turn> turns,
        List<Summary> summaries,
        Map<String, List<Percentile>> percentiles,
        List<Comparison> comparisons) {

    /** Works the figures out. */
    public static Result of(
            Experiment experiment,
            Map<String, String> parameters,
            Pace pace,
            Plan plan,
            Surroundings surroundings,
            Instant started,
            List<Turn> turns,
            Comparer comparer) {
        Map<String, List<Percentile>> percentiles = new LinkedHashMap<>();
        for (Variant each : plan.variants()) {
            percentiles.put(each.name(), comparer.percentiles(turnsOf(turns, each.name())));
        }
        return new Result(
                experiment,
                parameters,
                pace,
                plan,
                surroundings,
                started,
                turns,
                plan.variants().stream().map(v -> Summary.of(turnsOf(turns, v.name()))).toList(),
                percentiles,
                plan.pairs().stream()
                        .map(
                                pair ->
                                        comparer.compare(
                                                turnsOf(turns, pair.baseline()),
                                                turnsOf(turns, pair.treatment())))
                        .toList());
    }

    /** The turns of one variant, by repeat. */
    public List<Turn> turnsOf(String variant) {
        return turnsOf(turns, variant);
    }

    private static List<Turn> turnsOf(List<Turn> turns, String variant) {
        return turns.stream().filter(turn -> turn.variant().equals(variant)).toList();
    }

    /** The command that runs it again. */
    public String command() {
        StringBuilder command = new StringBuilder("./phasewise lab run " + experiment.name());
        parameters.forEach(
                (name, value) ->
                        command.append(" --param ").append(name).append('=').append(value));
        surroundings.options().forEach(option -> command.append(' ').append(option));
        return command.toString();
    }
}
