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
import java.util.stream.Stream;

/** The codecs under load. */
final class Compression {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "compression",
                    "What do the codecs do to latency, and to the bytes sent, under one load?",
                    "\"99th Percentile Latency at Scale with Apache Kafka\" (Confluent, 2020):"
                            + " compression trades the producers' processor time for bytes that"
                            + " brokers receive, append and replicate; lz4 and zstd cost little"
                            + " latency and gain where the network or the disk is what is short."
                            + " Half of each value is random here, so codecs reach about half.",
                    List.of(
                            Parameter.number("records", "a second", 2_000, 10, 200_000),
                            Parameter.whole("bytes", "of a record", 1_024, 1, 1_000_000),
                            Parameter.whole("producers", "that share the rate", 4, 1, 100),
                            Parameter.whole("linger", "ms, so that batches fill", 5, 0, 1_000)),
                    false,
                    Compression::plan);

    private Compression() {}

    private static Plan plan(Parameters given) {
        return Plan.of(
                Stream.of("none", "lz4", "zstd", "snappy", "gzip")
                        .map(codec -> variant(given, codec))
                        .toArray(Variant[]::new));
    }

    private static Variant variant(Parameters given, String codec) {
        Map<String, String> settings =
                Map.of(
                        "compression.type",
                        codec,
                        "linger.ms",
                        Integer.toString(given.whole("linger")));
        return Variant.of(
                        codec,
                        Map.of(
                                "producer",
                                settings,
                                "probe",
                                Map.of("pipelined", true, "compressibility", 0.5)))
                .with(
                        new Load(
                                given.whole("producers"),
                                given.number("records"),
                                given.whole("bytes"),
                                12,
                                3,
                                settings));
    }
}
