/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Load in steps, each twice the one before, towards saturation. */
final class LoadSteps {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "load-steps",
                    "How does latency grow as the brokers get busier?",
                    "Kingman's approximation: what a request waits for a handler is proportional to"
                            + " busy over idle of the handlers, so latency is flat for long and"
                            + " then rises steeply. Little's law: requests waiting = requests a"
                            + " second times what each waits.",
                    List.of(
                            Parameter.number(
                                    "records", "a second at the first step", 1_000, 10, 100_000),
                            Parameter.whole("steps", "after no load, each twice", 4, 1, 10),
                            Parameter.whole("producers", "that share the rate", 4, 1, 100)),
                    false,
                    LoadSteps::plan);

    private LoadSteps() {}

    private static Plan plan(Parameters given) {
        List<Variant> variants = new ArrayList<>(List.of(Variant.of("no load", Map.of())));
        double rate = given.number("records");
        for (int step = 0; step < given.whole("steps"); step++, rate *= 2) {
            variants.add(
                    Variant.of(Math.round(rate) + " records/s", Map.of())
                            .with(
                                    new Load(
                                            given.whole("producers"),
                                            rate,
                                            1_024,
                                            12,
                                            3,
                                            Map.of("linger.ms", "0"))));
        }
        return Plan.of(variants.toArray(Variant[]::new));
    }
}
