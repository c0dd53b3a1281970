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
import java.util.Optional;
import java.util.Set;

/** A load whose closed segments stay on the brokers, and one whose segments are copied away. */
final class TieredStorage {
    /** Small, so that many are closed and copied in a turn. */
    private static final String SEGMENT = "4194304";

    static final Experiment EXPERIMENT =
            new Experiment(
                    "tiered-storage",
                    "What does it do to probes when brokers copy a load's segments to remote"
                            + " storage?",
                    "\"Making Apache Kafka even faster\" (Confluent): closed segments are copied"
                            + " beside what clients do, so latency at the end of the log hardly"
                            + " moves. Here the remote storage is a directory on the same disk,"
                            + " written to by the same two processors: more is shared than with"
                            + " an object store.",
                    List.of(
                            Parameter.number("records", "a second", 2_000, 10, 200_000),
                            Parameter.whole("bytes", "of a record", 1_024, 1, 1_000_000),
                            Parameter.whole("producers", "that share the rate", 4, 1, 100)),
                    false,
                    Optional.of("brokers of Kafka 4.1 whose remote storage is a directory"),
                    TieredStorage::plan);

    private TieredStorage() {}

    private static Plan plan(Parameters given) {
        Load load =
                new Load(
                        given.whole("producers"),
                        given.number("records"),
                        given.whole("bytes"),
                        3,
                        3,
                        Map.of("linger.ms", "5"));
        return new Plan(
                Map.of(),
                Plan.Layout.TIERED,
                Set.of(),
                List.of(
                        Variant.of("local", Map.of())
                                .with(load.on(Map.of("segment.bytes", SEGMENT))),
                        Variant.of("tiered", Map.of())
                                .with(
                                        load.on(
                                                Map.of(
                                                        "segment.bytes",
                                                        SEGMENT,
                                                        "remote.storage.enable",
                                                        "true",
                                                        "local.retention.bytes",
                                                        SEGMENT)))));
    }
}
