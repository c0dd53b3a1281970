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

/** linger.ms 0 and 5, batch.size 16 and 128 KiB, with many producers at one total rate. */
final class Linger {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "linger",
                    "What do linger.ms=5 and a larger batch.size do beside many producers that"
                            + " share one rate?",
                    "\"99th Percentile Latency at Scale with Apache Kafka\" (Confluent, 2020):"
                            + " with many producers lingering makes fewer, larger requests; p50"
                            + " rises by up to the linger, p99 falls where the brokers were busy"
                            + " with requests. batch.size alone changes little while batches do"
                            + " not fill.",
                    List.of(
                            Parameter.whole("producers", "that share the rate", 10, 1, 100),
                            Parameter.number(
                                    "records", "a second, all producers", 2_000, 10, 200_000),
                            Parameter.whole("bytes", "of a record", 1_024, 1, 1_000_000),
                            Parameter.whole("partitions", "of the load's topic", 12, 1, 1_000)),
                    false,
                    Linger::plan);

    private Linger() {}

    private static Plan plan(Parameters given) {
        List<Variant> variants = new ArrayList<>();
        for (int linger : new int[] {0, 5}) {
            for (int kibibytes : new int[] {16, 128}) {
                Map<String, String> settings =
                        Map.of(
                                "linger.ms",
                                Integer.toString(linger),
                                "batch.size",
                                Integer.toString(kibibytes * 1_024));
                Load load =
                        new Load(
                                given.whole("producers"),
                                given.number("records"),
                                given.whole("bytes"),
                                given.whole("partitions"),
                                3,
                                settings);
                variants.add(
                        Variant.of(
                                        "linger " + linger + " ms, " + kibibytes + " KiB",
                                        Map.of(
                                                "producer",
                                                settings,
                                                "probe",
                                                Map.of("pipelined", true)))
                                .with(load));
            }
        }
        return Plan.of(variants.toArray(Variant[]::new));
    }
}
