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
import java.util.List;
import java.util.Map;

/** Latency while brokers are restarted in turn. */
final class RollingRestart {
    static final Experiment EXPERIMENT =
            new Experiment(
                    "rolling-restart",
                    "What do probes see while brokers are restarted, one after the other?",
                    "\"Turbo-Charging Confluent Cloud\" (Confluent): leaders move before a broker"
                            + " goes, so most probes hardly notice; the tail shows those that met"
                            + " the move, and nothing is lost.",
                    List.of(
                            Parameter.number("seconds", "measured in each turn", 45, 20, 3_600),
                            Parameter.whole("repeats", "turns of every variant", 3, 2, 100)),
                    true,
                    given ->
                            Plan.of(
                                    Variant.of("at rest", Map.of()),
                                    Variant.of("rolling", Map.of()).with(new RollingBrokers())));

    private RollingRestart() {}
}
