/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import io.phasewise.experiments.declared.Allowed;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import java.util.Optional;

/**
 * What brokers and canaries are needed. Rows with the same need share a cluster.
 *
 * @param brokers how many, 3 to 5; absent: 3
 * @param controllers in processes of their own, up to 3; absent or 0: every broker is a
 *     controller too
 * @param links whether clients and followers reach the brokers through links that can be delayed
 * @param probeBytes size of a probe; absent: the canary's default
 * @param probesPerSecond to each broker; absent: the canary's default
 * @param secured whether the brokers have passwords and an authorizer
 * @param clock whether one broker's clock can be set
 */
public record ClusterSpec(
        Integer brokers,
        Integer controllers,
        Boolean links,
        Optional<Integer> probeBytes,
        Optional<Integer> probesPerSecond,
        Boolean secured,
        Boolean clock) {
    /** Three brokers, nothing special. */
    public static final ClusterSpec PLAIN =
            new ClusterSpec(3, 0, false, Optional.empty(), Optional.empty(), false, false);

    public ClusterSpec {
        brokers = brokers == null ? 3 : brokers;
        controllers = controllers == null ? 0 : controllers;
        links = links != null && links;
        secured = secured != null && secured;
        clock = clock != null && clock;
        Allowed.range("brokers", brokers, 3, 5);
        Allowed.range("controllers", controllers, 0, 3);
        probeBytes.ifPresent(size -> Allowed.range("probe-bytes", size, 64, 900_000));
        probesPerSecond.ifPresent(rate -> Allowed.range("probes-per-second", rate, 1, 100));
    }

    /** The same behind links, and with what else faults need. */
    public ClusterSpec behindLinks(boolean alsoSecured, boolean alsoClock) {
        return new ClusterSpec(
                brokers, controllers, true, probeBytes, probesPerSecond, secured || alsoSecured, clock || alsoClock);
    }

    /** How many brokers and controllers there are. */
    public int nodes() {
        return brokers + controllers;
    }

    /** The place of a node among all nodes, from 0; controllers come after brokers. */
    public int index(int node) {
        return node < Controller.FIRST ? node - 1 : brokers + Controller.number(node) - 1;
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
