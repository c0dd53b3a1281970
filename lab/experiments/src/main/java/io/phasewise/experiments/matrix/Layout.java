/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.experiments.fault.Fault;
import java.util.Optional;
import java.util.Set;

/**
 * What brokers and canary a row needs. Rows of the same layout share a scene.
 *
 * @param brokers how many; absent: 3
 * @param controllers that are no brokers; absent or 0: every broker is one, too
 * @param probeBytes of a probe; absent: the canary's default
 * @param probesPerSecond to each broker; absent: the canary's default
 * @param secured whether the brokers ask who may do what; a fault that needs it has it
 * @param clock whether one broker's clock can be set; likewise
 */
public record Layout(
        Integer brokers,
        Integer controllers,
        Optional<Integer> probeBytes,
        Optional<Integer> probesPerSecond,
        Boolean secured,
        Boolean clock) {
    /** Nothing special. */
    public static final Layout PLAIN =
            new Layout(3, 0, Optional.empty(), Optional.empty(), false, false);

    public Layout {
        brokers = brokers == null ? 3 : brokers;
        controllers = controllers == null ? 0 : controllers;
        secured = secured != null && secured;
        clock = clock != null && clock;
        Allowed.range("brokers", brokers, 3, 5);
        Allowed.range("controllers", controllers, 0, 3);
        probeBytes.ifPresent(size -> Allowed.range("probe-bytes", size, 64, 900_000));
        probesPerSecond.ifPresent(rate -> Allowed.range("probes-per-second", rate, 1, 100));
    }

    /** The same with what a fault needs of it. */
    Layout with(Set<Fault.Need> needs) {
        return new Layout(
                brokers,
                controllers,
                probeBytes,
                probesPerSecond,
                secured || needs.contains(Fault.Need.PERMISSIONS),
                clock || needs.contains(Fault.Need.CLOCK));
    }

    /** For people and for names of directories. */
    public String label() {
        return brokers
                + "-brokers"
                + (controllers > 0 ? "-" + controllers + "-controllers" : "")
                + probeBytes.map(size -> "-" + size + "-byte-probes").orElse("")
                + probesPerSecond.map(rate -> "-" + rate + "-probes").orElse("")
                + (secured ? "-secured" : "")
                + (clock ? "-clock" : "");
    }
}
