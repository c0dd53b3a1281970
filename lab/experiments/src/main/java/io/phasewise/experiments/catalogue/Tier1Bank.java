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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A single partition's floor, then all partitions, then one change at a time. */
final class Tier1Bank {
    private static final String BASE = "all partitions";
    private static final String FLOOR = "floor: one partition";

    static final Experiment EXPERIMENT =
            new Experiment(
                    "tier-1-bank",
                    "How far from a single partition's floor is a loaded topic, and which single"
                            + " change brings it nearer?",
                    "\"How we optimised Kafka latency for a Tier-1 bank\" (Confluent, 2024): first"
                            + " the floor, one partition with its share of the load; then all"
                            + " partitions; then one change at a time to producers or brokers,"
                            + " each held against all partitions without it, up to p99.99. Changes"
                            + " that make fewer requests pay off where brokers are busy, one"
                            + " request in flight queues what comes meanwhile, more fetchers help"
                            + " where one has much to carry.",
                    List.of(
                            Parameter.number("records", "a second", 2_000, 10, 200_000),
                            Parameter.whole("producers", "that share the rate", 4, 1, 100),
                            Parameter.whole("partitions", "of the load's topic", 24, 2, 1_000),
                            // p99.99 with an interval takes 36,887 probes; these give 37,800.
                            Parameter.number("rate", "probes a second to each broker", 30, 1, 31),
                            Parameter.number("seconds", "measured in each turn", 70, 5, 3_600)),
                    true,
                    Tier1Bank::plan);

    private Tier1Bank() {}

    private static Plan plan(Parameters given) {
        List<Variant> variants = new ArrayList<>();
        int partitions = given.whole("partitions");
        double share = given.number("records") / partitions;
        variants.add(canary(FLOOR, Map.of()).with(load(1, share, 1, Map.of())));
        Variant base = variant(given, BASE, Map.of());
        variants.add(base);
        variants.add(variant(given, "linger 1 ms", Map.of("linger.ms", "1")));
        variants.add(variant(given, "lz4", Map.of("compression.type", "lz4")));
        variants.add(
                variant(
                        given,
                        "one in flight",
                        Map.of("max.in.flight.requests.per.connection", "1")));
        variants.add(variant(given, "not idempotent", Map.of("enable.idempotence", "false")));
        // Kafka doubles the number at most while a broker runs.
        variants.add(
                base.named("2 fetchers")
                        .with(
                                new BrokerSetting(
                                        "followers have two fetchers for each leader",
                                        "num.replica.fetchers",
                                        "2")));
        List<Plan.Pair> pairs = new ArrayList<>(List.of(new Plan.Pair(FLOOR, BASE)));
        variants.stream().skip(2).forEach(each -> pairs.add(new Plan.Pair(BASE, each.name())));
        return Plan.of(variants.toArray(Variant[]::new)).comparing(pairs);
    }

    private static Variant variant(Parameters given, String name, Map<String, String> change) {
        return canary(name, change)
                .with(
                        load(
                                given.whole("producers"),
                                given.number("records"),
                                given.whole("partitions"),
                                change));
    }

    private static Variant canary(String name, Map<String, String> change) {
        return Variant.of(
                name,
                Map.of(
                        "producer",
                        change,
                        "probe",
                        Map.of("pipelined", true, "compressibility", 0.5)));
    }

    private static Load load(
            int producers, double records, int partitions, Map<String, String> change) {
        Map<String, String> settings = new HashMap<>(Map.of("linger.ms", "0"));
        settings.putAll(change);
        return new Load(producers, records, 1_024, partitions, 3, settings);
    }
}
