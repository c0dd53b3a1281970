/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.fault.ManyPartitions;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Idle partitions in steps, and what a bystander's probes see of them. */
final class Partitions {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "partitions",
                    "What do many idle partitions do to the probes of another topic?",
                    "\"99th Percentile Latency at Scale with Apache Kafka\" (Confluent, 2020):"
                            + " every partition is part of followers' fetches and of the brokers'"
                            + " periodic work, so commit and the tail grow with their number. The"
                            + " monitoring must not: what an exporter and the canary take for a"
                            + " page and how late the canary is stay flat (see around it).",
                    List.of(
                            Parameter.whole("partitions", "at the first step", 200, 1, 10_000),
                            Parameter.whole("steps", "each four times the one before", 2, 1, 4),
                            // Deleting the one before takes brokers a while.
                            Parameter.number(
                                    "warm-up", "seconds cut from each turn", 15, 0, 3_600)),
                    true,
                    Partitions::plan);

    private Partitions() {}

    private static Plan plan(Parameters given) {
        List<Variant> variants = new ArrayList<>(List.of(Variant.of("none", Map.of())));
        int partitions = given.whole("partitions");
        for (int step = 0; step < given.whole("steps"); step++, partitions *= 4) {
            variants.add(
                    Variant.of(partitions + " idle partitions", Map.of())
                            .with(new ManyPartitions(partitions)));
        }
        return Plan.of(variants.toArray(Variant[]::new));
    }
}
