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
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.experiments.plan.Variant;
import java.util.List;
import java.util.Map;

/** One rate from few producers and from many. */
final class Producers {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "producers",
                    "What does it do to the others when one rate comes from ten times as many"
                            + " producers?",
                    "\"99th Percentile Latency at Scale with Apache Kafka\" (Confluent, 2020): more"
                            + " producers make smaller batches and more requests for the same"
                            + " bytes; brokers get busier and the tail grows.",
                    List.of(
                            Parameter.whole("few", "producers", 2, 1, 100),
                            Parameter.whole("many", "producers", 20, 1, 100),
                            Parameter.number(
                                    "records", "a second, all producers", 2_000, 10, 200_000),
                            Parameter.whole("linger", "ms, of the load", 5, 0, 1_000)),
                    false,
                    Producers::plan);

    private Producers() {}

    private static Plan plan(Parameters given) throws UsageException {
        given.requireLess("few", "many");
        return Plan.of(variant(given, "few"), variant(given, "many"));
    }

    private static Variant variant(Parameters given, String which) {
        return Variant.of(given.whole(which) + " producers", Map.of())
                .with(
                        new Load(
                                given.whole(which),
                                given.number("records"),
                                1_024,
                                12,
                                3,
                                Map.of("linger.ms", Integer.toString(given.whole("linger")))));
    }
}
