/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.List;
import java.util.Map;

/** Replication factor 1 to 3, and min.insync.replicas 1 and 2. */
final class Replication {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "replication",
                    "What do the replication factor and min.insync.replicas do to latency?",
                    "\"99th Percentile Latency at Scale with Apache Kafka\" (Confluent, 2020): each"
                            + " further replica must have a record before it is committed, so the"
                            + " commit phase grows with the factor; min.insync.replicas changes"
                            + " availability, not latency, for acks=all waits for all that are in"
                            + " sync.",
                    List.of(),
                    false,
                    given -> Plan.of(topic(3, 2), topic(3, 1), topic(2, 1), topic(1, 1)));

    private Replication() {}

    private static Variant topic(int factor, int inSync) {
        return Variant.of(
                "factor " + factor + ", min in sync " + inSync,
                Map.of(
                        "topic",
                        Map.of("replication-factor", factor, "min-insync-replicas", inSync)));
    }
}
