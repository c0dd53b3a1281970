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

/** acks 0, 1 and all. */
final class Acks {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "acks",
                    "What do acks=1 and acks=0 do to producer latency and to end-to-end latency,"
                            + " compared with acks=all?",
                    "\"99th Percentile Latency at Scale with Apache Kafka\" (Confluent, 2020):"
                            + " acks changes what the producer waits for, not when a consumer sees"
                            + " the record, which is after the commit either way. So producer"
                            + " latency (send() to acknowledgement) loses the commit phase with"
                            + " acks=1 and is next to nothing with acks=0, while end-to-end"
                            + " latency hardly moves.",
                    List.of(),
                    false,
                    given -> Plan.of(acks("all"), acks("1"), acks("0")));

    private Acks() {}

    private static Variant acks(String value) {
        return Variant.of(
                "acks=" + value,
                Map.of("producer", Map.of("acks", value, "enable.idempotence", "false")));
    }
}
