/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Pace;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.run.Turn;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What an experiment showed, and what is needed to run it again.
 *
 * @param experiment that was run
 * @param command that runs it again
 * @param pace of the turns
 * @param plan what was run
 * @param circumstances machine, versions, load and so on by name, for people
 * @param started when the run began
 * @param turns in the order in which they were run
 */
public record Result(
        Experiment experiment,
        String command,
        Pace pace,
        Plan plan,
        Map<String, String> circumstances,
        Instant started,
        List<Turn> turns) {

    /** The turns of one variant, in the order of repeats. */
    List<Turn> turnsOf(String variant) {
        return turns.stream().filter(turn -> turn.variant().equals(variant)).toList();
    }
}
