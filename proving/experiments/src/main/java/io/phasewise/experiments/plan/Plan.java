/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.plan;

import io.phasewise.experiments.cluster.ClusterSpec;
import io.phasewise.experiments.declared.Allowed;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What one experiment runs: the variants on a cluster, and which of them are compared.
 *
 * @param layout of the lab's own brokers; plain unless given
 * @param leaders the brokers whose probes are compared; empty for all
 * @param variants two at least, by names that tell them apart
 * @param pairs that are compared, by variants' names; unless given, each other against the first
 */
public record Plan(ClusterSpec layout, Set<Integer> leaders, List<Variant> variants, List<Pair> pairs) {

    /** A variant, {@code treatment}, and what it is compared with. */
    public record Pair(String baseline, String treatment) {}

    public Plan {
        layout = layout == null ? ClusterSpec.PLAIN : layout;
        leaders = leaders == null ? Set.of() : Set.copyOf(leaders);
        variants = variants == null ? List.of() : List.copyOf(variants);
        List<String> names = variants.stream().map(Variant::name).toList();
        Allowed.require(
                names.size() > 1 && new HashSet<>(names).size() == names.size(),
                "variants",
                names,
                "two or more, by names that tell them apart");
        pairs = pairs != null
                ? List.copyOf(pairs)
                : names.stream()
                        .skip(1)
                        .map(name -> new Pair(names.get(0), name))
                        .toList();
        for (Pair pair : pairs) {
            boolean there = names.contains(pair.baseline()) && names.contains(pair.treatment());
            Allowed.require(there, "pairs", pair, "two of " + names);
        }
    }

    /** Whether a broker's probes are compared. */
    public boolean compares(int leader) {
        return leaders.isEmpty() || leaders.contains(leader);
    }
}
