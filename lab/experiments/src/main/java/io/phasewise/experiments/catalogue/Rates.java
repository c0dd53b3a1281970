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
import io.phasewise.experiments.plan.UsageException;
import io.phasewise.experiments.plan.Variant;
import java.util.ArrayList;
import java.util.HashMap;
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
                            Parameter.whole("repeats", "turns of every variant", 5, 2, 100)),
                    true,
                    Rates::plan);

    private Rates() {}

    private static Plan plan(Parameters given) throws UsageException {
        given.requireLess("low", "high");
        List<Variant> variants = new ArrayList<>();
        List<Plan.Pair> pairs = new ArrayList<>();
        for (String rate : List.of("low", "high")) {
            Variant committed = variant(given, rate, "all");
            Variant appended = variant(given, rate, "1");
            variants.addAll(List.of(committed, durable(committed), appended, durable(appended)));
            // Durable against not, then waiting for the commit against not, at this rate.
            pairs.add(pair(committed, durable(committed)));
            pairs.add(pair(appended, durable(appended)));
            pairs.add(pair(appended, committed));
            pairs.add(pair(durable(appended), durable(committed)));
        }
        return Plan.of(variants.toArray(Variant[]::new)).comparing(pairs);
    }

    private static Plan.Pair pair(Variant baseline, Variant treatment) {
        return new Plan.Pair(baseline.name(), treatment.name());
    }

    private static Variant durable(Variant plain) {
        return plain.named(plain.name() + ", durable").with(BrokerSetting.FLUSHED_LOGS);
    }

    private static Variant variant(Parameters given, String rate, String acks) {
        Map<String, String> settings = Map.of("acks", acks, "enable.idempotence", "false");
        Map<String, String> ofLoad = new HashMap<>(settings);
        ofLoad.put("linger.ms", "0");
        return Variant.of(given.text(rate) + "/s, acks=" + acks, Map.of("producer", settings))
                .with(
                        new Load(
                                given.whole("producers"),
                                given.number(rate),
                                given.whole("bytes"),
                                12,
                                3,
                                ofLoad));
    }
}
