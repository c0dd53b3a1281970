/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.catalogue;

import io.phasewise.experiments.fault.FarBroker;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.experiments.plan.Parameter;
import io.phasewise.experiments.plan.Parameters;
import io.phasewise.experiments.plan.Plan;
import io.phasewise.experiments.plan.Variant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A degraded broker that is found by its probes, demoted, and given back what it led. */
final class Demoted {
    private static final int BROKER = 1;

    /**
     * The canary leaves its topic as it is, as applications do: its probes go where theirs go, and
     * not by way of a broker that leads nothing.
     */
    private static final Map<String, Object> AS_APPLICATIONS =
            Map.of(
                    "topic",
                    Map.of("manage", Map.of("expand", false, "reassign", false, "elect", false)));

    static final Experiment EXPERIMENT =
            new Experiment(
                    "demotion",
                    "Does latency recover when a degraded broker is found and demoted?",
                    "\"Turbo-Charging Confluent Cloud\" (Confluent): moving leadership off a"
                        + " degraded broker takes it out of the way of clients. A third of the"
                        + " probes has the delay while it leads; once it is demoted none has, and"
                        + " p50 and p99 are those of healthy brokers.",
                    List.of(
                            Parameter.whole(
                                    "delay", "ms on the way from clients to it", 100, 10, 5_000),
                            Parameter.number("seconds", "measured in each turn", 20, 5, 3_600)),
                    true,
                    Demoted::plan);

    private Demoted() {}

    private static Plan plan(Parameters given) {
        Duration delay = Duration.ofMillis(given.whole("delay"));
        Variant healthy = Variant.of("healthy", AS_APPLICATIONS);
        Variant degraded =
                Variant.of("degraded", AS_APPLICATIONS).with(new FarBroker(BROKER, delay, false));
        Variant demoted =
                Variant.of("degraded, demoted", AS_APPLICATIONS)
                        .with(new FarBroker(BROKER, delay, true));
        // Recovered: against degraded. As good as before: against healthy, no difference.
        return new Plan(
                        Map.of(),
                        Plan.Layout.BEHIND_LINKS,
                        Set.of(),
                        List.of(healthy, degraded, demoted))
                .comparing(
                        List.of(
                                new Plan.Pair(healthy.name(), degraded.name()),
                                new Plan.Pair(degraded.name(), demoted.name()),
                                new Plan.Pair(healthy.name(), demoted.name())));
    }
}
