/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One client setting changed at a time, from a floor. */
final class OneChange {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "one-change",
                    "Which single client setting moves the latency of a pipelined producer?",
                    "\"How we optimised Kafka latency for a Tier-1 bank\" (Confluent, 2024): each"
                            + " change by itself, from a floor of defaults; linger adds up to"
                            + " itself at low rates and pays off at high ones, compression costs"
                            + " little, one request in flight queues what comes meanwhile.",
                    List.of(),
                    false,
                    given ->
                            Plan.of(
                                    with("floor", Map.of()),
                                    with("linger 1 ms", Map.of("linger.ms", "1")),
                                    with("lz4", Map.of("compression.type", "lz4")),
                                    with(
                                            "one in flight",
                                            Map.of("max.in.flight.requests.per.connection", "1")),
                                    with("not idempotent", Map.of("enable.idempotence", "false"))));

    private OneChange() {}

    private static Variant with(String name, Map<String, String> producer) {
        return Variant.of(
                name,
                Map.of(
                        "producer",
                        new HashMap<>(producer),
                        "probe",
                        Map.of("pipelined", true, "compressibility", 0.7)));
    }
}
