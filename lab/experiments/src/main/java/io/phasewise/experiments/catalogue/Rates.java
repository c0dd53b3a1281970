/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.fault.BrokerSetting;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Two rates, each with and without records forced to disk, and committed or only appended. */
final class Rates {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "rates",
                    "What do records forced to disk, and waiting for their commit, cost at a low"
                            + " rate and at a high one?",
                    "\"Messaging system latencies, part 1\": at 200 records a second and at 4,000;"
                            + " durable (every record forced to disk by every replica) or left to"
                            + " the page cache; the producer waiting for the commit (acks=all) or"
                            + " for the leader's append (acks=1). Forcing costs a write of the"
                            + " disk for each batch, so it shows at both rates and grows with the"
                            + " rate unless batches grow too; acks moves what the producer waits"
                            + " for and hardly the time until a consumer has the record.",
                    List.of(
                            Parameter.number("low", "records a second", 200, 10, 200_000),
                            Parameter.number("high", "records a second", 4_000, 10, 200_000),
                            Parameter.whole("bytes", "of a record", 512, 1, 1_000_000),
                            Parameter.whole("producers", "that share the rate", 4, 1, 100),
                            Parameter.whole("repeats", "turns of every variant", 3, 2, 100)),
                    true,
                    Rates::plan);

    private Rates() {}

    private static Plan plan(Parameters given) {
        if (given.number("low") >= given.number("high")) {
            throw new IllegalArgumentException("low must be less than high");
        }
        List<Variant> variants = new ArrayList<>();
        for (String rate : List.of("low", "high")) {
            for (String acks : List.of("all", "1")) {
                Map<String, String> settings =
                        Map.of("acks", acks, "enable.idempotence", "false", "linger.ms", "0");
                Load load =
                        new Load(
                                given.whole("producers"),
                                given.number(rate),
                                given.whole("bytes"),
                                12,
                                3,
                                settings);
                String name = given.text(rate) + "/s, acks=" + acks;
                Variant plain =
                        Variant.of(
                                        name,
                                        Map.of(
                                                "producer",
                                                Map.of(
                                                        "acks",
                                                        acks,
                                                        "enable.idempotence",
                                                        "false")))
                                .with(load);
                variants.add(plain);
                variants.add(plain.named(name + ", durable").with(BrokerSetting.FLUSHED_LOGS));
            }
        }
        return Plan.of(variants.toArray(Variant[]::new));
    }
}
