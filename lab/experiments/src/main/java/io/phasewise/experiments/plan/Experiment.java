/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.util.List;
import java.util.Optional;

/**
 * A question that is put to a cluster: what is compared, and what is expected by whom; carrying it
 * out is left to the runner.
 *
 * @param name as on the command line
 * @param about one line: the question
 * @param expected what the literature, or arithmetic, says the answer should look like
 * @param parameters of its own, beside {@link Pace#PARAMETERS}
 * @param needsFault whether it breaks something, which only a cluster of the lab's own may suffer
 * @param plan what to run; refuses values that do not go together
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
    public interface Planner {
        /**
         * Makes it.
         *
         * @throws UsageException when values do not go together
         */
        Plan apply(Parameters given) throws UsageException;
    }

    public Experiment {
        parameters = List.copyOf(parameters);
    }

    /** What speaks against running it on somebody else's cluster, after its name; if anything. */
    public Optional<String> refusedElsewhere() {
        return needsFault
                ? Optional.of(
                        "breaks brokers, which is refused on a cluster that the lab did not start")
                : Optional.empty();
    }
}
