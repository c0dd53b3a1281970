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
 * @param leaders the brokers whose probes are compared; empty for all
 * @param variants the baseline first
 */
public record Plan(
        Map<String, String> brokerProperties, Set<Integer> leaders, List<Variant> variants) {

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
        return new Plan(Map.of(), Set.of(), List.of(variants));
    }
}
