/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.util.List;
import java.util.function.Function;

/**
 * A question that is put to a cluster: what is compared, and what is expected by whom; carrying it
 * out is left to the runner.
 *
 * @param name as on the command line
 * @param about one line: the question
 * @param expected what the literature, or arithmetic, says the answer should look like
 * @param parameters of its own, beside {@link Pace#PARAMETERS}
 * @param needsFault whether it breaks something, which only a cluster of the lab's own may suffer
 * @param plan what to run; may refuse values that do not go together
 */
public record Experiment(
        String name,
        String about,
        String expected,
        List<Parameter> parameters,
        boolean needsFault,
        Planner plan) {

    /** Makes a plan of checked parameters. */
    @FunctionalInterface
    public interface Planner extends Function<Parameters, Plan> {}

    public Experiment {
        parameters = List.copyOf(parameters);
    }
}
