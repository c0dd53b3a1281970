/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The whole configuration of the canary, checked; how it was read is left to {@link ConfigLoader}.
 *
 * @param site where the canary stands, the {@code site} label; empty for none
 * @param pauseFile while it is there no probe is sent; empty for no such file
 * @param stateFile keeps what the canary learns from one start to the next; empty for no such file
 * @param http where the canary listens
 * @param clusters the clusters to measure, once for each profile; sorted by name, the default
 *     profile before the others; empty only where other canaries of the same configuration measure
 *     them all
 * @param traces where traces of probes go; empty for none
 */
public record CanaryConfig(
        Optional<String> site,
        Optional<Path> pauseFile,
        Optional<Path> stateFile,
        HttpConfig http,
        List<ClusterConfig> clusters,
        Optional<TracesConfig> traces) {
    /** The profiles of each cluster, by its name. */
    public SortedMap<String, List<ClusterConfig>> byCluster() {
        return clusters.stream().collect(groupingBy(ClusterConfig::name, TreeMap::new, toList()));
    }
}
