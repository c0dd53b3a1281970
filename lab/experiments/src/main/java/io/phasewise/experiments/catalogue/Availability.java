/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.fault.StoppedBroker;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Load;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** min.insync.replicas 1 to 3 with all three replicas up, and with one down. */
final class Availability {
    private static final int DOWN = 3;

    /** What is refused is told at once instead of being tried again for two minutes. */
    private static final Map<String, String> TRIED_ONCE =
            Map.of(
                    "acks",
                    "all",
                    "enable.idempotence",
                    "false",
                    "retries",
                    "0",
                    "linger.ms",
                    "0",
                    "request.timeout.ms",
                    "2000",
                    "delivery.timeout.ms",
                    "3000");

    static final Experiment EXPERIMENT =
            new Experiment(
                    "availability",
                    "What does min.insync.replicas do to latency while all replicas are there, and"
                            + " to writes while one is not?",
                    "\"99th Percentile Latency at Scale with Apache Kafka\" (Confluent, 2020):"
                            + " acks=all waits for all replicas that are in sync, whatever"
                            + " min.insync.replicas is, so latency is the same. With one of three"
                            + " down, all writes are refused where three are wanted and none where"
                            + " one or two are (the load's, see load failed/s; the canary's own"
                            + " topic then wants two at most, so that there is a latency to show).",
                    List.of(
                            Parameter.number("records", "a second, of the load", 200, 10, 200_000),
                            // Stopping and starting a broker takes a while by itself.
                            Parameter.whole("repeats", "turns of every variant", 5, 2, 100)),
                    true,
                    Availability::plan);

    private Availability() {}

    private static Plan plan(Parameters given) {
        List<Variant> up = new ArrayList<>();
        List<Variant> down = new ArrayList<>();
        for (int inSync = 1; inSync <= 3; inSync++) {
            up.add(variant(given, "all up, min " + inSync, inSync, inSync));
            down.add(
                    variant(given, "one down, min " + inSync, inSync, Math.min(inSync, 2))
                            .with(new StoppedBroker(DOWN)));
        }
        List<Variant> all = new ArrayList<>(up);
        all.addAll(down);
        return new Plan(Map.of(), Plan.Layout.PLAIN, Set.of(1, 2), all)
                .comparing(
                        List.of(
                                new Plan.Pair(up.get(0).name(), up.get(1).name()),
                                new Plan.Pair(up.get(0).name(), up.get(2).name()),
                                new Plan.Pair(down.get(0).name(), down.get(1).name())));
    }

    private static Variant variant(Parameters given, String name, int ofLoad, int ofCanary) {
        return Variant.of(name, Map.of("topic", Map.of("min-insync-replicas", ofCanary)))
                .with(
                        new Load(2, given.number("records"), 1_024, 12, 3, TRIED_ONCE)
                                .on(Map.of("min.insync.replicas", Integer.toString(ofLoad))));
    }
}
