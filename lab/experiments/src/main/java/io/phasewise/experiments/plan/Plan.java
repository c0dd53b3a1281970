/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one experiment runs: the variants on a cluster, and which of them are held against which.
 *
 * @param brokerProperties added to every broker's configuration
 * @param layout of the brokers
 * @param leaders the brokers whose probes are compared; empty for all
 * @param variants by names that tell them apart
 * @param pairs that are compared, by variants' names
 */
public record Plan(
        Map<String, String> brokerProperties,
        Layout layout,
        Set<Integer> leaders,
        List<Variant> variants,
        List<Pair> pairs) {

    /** A variant and the one that it is held against. */
    public record Pair(String baseline, String treatment) {}

    /** What brokers of the lab's own are like, beside their properties. */
    public enum Layout {
        PLAIN,
        /** Clients and followers reach them by links that can be delayed. */
        BEHIND_LINKS
    }

    public Plan {
        brokerProperties = Map.copyOf(brokerProperties);
        leaders = Set.copyOf(leaders);
        variants = List.copyOf(variants);
        if (variants.size() < 2) {
            throw new IllegalArgumentException("a baseline and a treatment at least");
        }
        pairs = List.copyOf(pairs);
        List<String> names = variants.stream().map(Variant::name).toList();
        for (Pair pair : pairs) {
            if (!names.containsAll(List.of(pair.baseline(), pair.treatment()))) {
                throw new IllegalArgumentException("no such variants: " + pair);
            }
        }
    }

    /** Every other variant held against the first. */
    public Plan(
            Map<String, String> brokerProperties,
            Layout layout,
            Set<Integer> leaders,
            List<Variant> variants) {
        this(
                brokerProperties,
                layout,
                leaders,
                variants,
                variants.stream()
                        .skip(1)
                        .map(each -> new Pair(variants.get(0).name(), each.name()))
                        .toList());
    }

    /** The same with these pairs compared and no others. */
    public Plan comparing(List<Pair> others) {
        return new Plan(brokerProperties, layout, leaders, variants, others);
    }

    /** Whether a broker's probes are compared. */
    public boolean compares(int leader) {
        return leaders.isEmpty() || leaders.contains(leader);
    }

    /** All leaders of brokers with their defaults; every other variant against the first. */
    public static Plan of(Variant... variants) {
        return new Plan(Map.of(), Layout.PLAIN, Set.of(), List.of(variants));
    }
}
