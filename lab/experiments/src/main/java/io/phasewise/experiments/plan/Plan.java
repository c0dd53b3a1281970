/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one experiment runs: the variants on a cluster.
 *
 * @param brokerProperties added to every broker's configuration
 * @param layout of the brokers
 * @param leaders the brokers whose probes are compared; empty for all
 * @param variants the baseline first
 */
public record Plan(
        Map<String, String> brokerProperties,
        Layout layout,
        Set<Integer> leaders,
        List<Variant> variants) {

    /** What brokers of the lab's own are like, beside their properties. */
    public enum Layout {
        PLAIN,
        /** Clients and followers reach them by links that can be delayed. */
        BEHIND_LINKS,
        /** They copy closed segments to a directory, see {@code TieredBrokers}. */
        TIERED
    }

    public Plan {
        brokerProperties = Map.copyOf(brokerProperties);
        leaders = Set.copyOf(leaders);
        variants = List.copyOf(variants);
        if (variants.size() < 2) {
            throw new IllegalArgumentException("a baseline and a treatment at least");
        }
    }

    /** Whether a broker's probes are compared. */
    public boolean compares(int leader) {
        return leaders.isEmpty() || leaders.contains(leader);
    }

    /** All leaders of brokers with their defaults. */
    public static Plan of(Variant... variants) {
        return new Plan(Map.of(), Layout.PLAIN, Set.of(), List.of(variants));
    }
}
