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
 * What one experiment runs: variants on a cluster, and which of them are compared.
 *
 * @param layout of the brokers; absent: {@link ClusterSpec#PLAIN}
 * @param leaders ids of the brokers whose probes are compared; empty for all
 * @param variants two or more, with different names
 * @param pairs of variants' names that are compared; absent: each variant with the first
 */
public record Plan(ClusterSpec layout, Set<Integer> leaders, List<Variant> variants, List<Pair> pairs) {

    /** The names of two variants: {@code treatment} is compared with {@code baseline}. */
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
