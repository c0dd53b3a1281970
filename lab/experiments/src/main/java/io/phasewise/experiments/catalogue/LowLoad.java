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
import java.util.List;
import java.util.Map;

/** 120 records a second on a cluster with nothing else to do. */
final class LowLoad {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "low-load",
                    "How long does a record take at 120 a second, from p50 to p99.9?",
                    "\"Making Apache Kafka even faster and more scalable\" (Confluent): at low load"
                            + " nothing queues, so what is left is the path itself, and the tail is"
                            + " what brokers do besides. 120 records a second more than the"
                            + " canary's own probes make no difference.",
                    List.of(
                            Parameter.number("records", "a second, of the load", 120, 1, 200_000),
                            // p99.9 with an interval takes 3,688 probes; these give 8,100.
                            Parameter.number("rate", "probes a second to each broker", 30, 1, 31)),
                    false,
                    LowLoad::plan);

    private LowLoad() {}

    private static Plan plan(Parameters given) {
        Load load = new Load(1, given.number("records"), 1_024, 12, 3, Map.of("linger.ms", "0"));
        return Plan.of(
                Variant.of("probes alone", Map.of()),
                Variant.of(given.text("records") + "/s", Map.of()).with(load));
    }
}
