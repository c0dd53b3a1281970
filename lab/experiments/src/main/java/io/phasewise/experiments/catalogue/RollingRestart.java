/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.fault.RollingBrokers;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Latency while brokers are restarted in turn. */
final class RollingRestart {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "rolling-restart",
                    "What do probes see while brokers are restarted, one after the other, and"
                            + " while each of them is?",
                    "\"Turbo-Charging Confluent Cloud\" (Confluent): leaders move before a broker"
                            + " goes, so most probes hardly notice; the tail shows those that met"
                            + " the move, and nothing is lost. While one broker restarts, probes"
                            + " that others lead have one replica less to wait for.",
                    List.of(
                            Parameter.number("seconds", "measured in each turn", 45, 20, 3_600),
                            Parameter.whole("repeats", "turns of every variant", 5, 2, 100)),
                    true,
                    given -> plan());

    private RollingRestart() {}

    private static Plan plan() {
        List<Variant> variants = new ArrayList<>();
        variants.add(Variant.of("at rest", Map.of()));
        variants.add(Variant.of("rolling", Map.of()).with(new RollingBrokers()));
        for (int broker = 1; broker <= 3; broker++) {
            variants.add(
                    Variant.of("broker " + broker + " restarting", Map.of())
                            .with(new RollingBrokers(List.of(broker))));
        }
        return Plan.of(variants.toArray(Variant[]::new));
    }
}
