/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;

/** Configurations for tests. */
public final class Configurations {
    private Configurations() {}

    /** A file whose only cluster is prod at b:1, with further keys. */
    public static String prod(String keys) {
        return "canary: {clusters: {prod: {bootstrap-servers: 'b:1', " + keys.strip() + "}}}";
    }

    /** The same with nothing more of it, and further keys beside the clusters. */
    static String beside(String keys) {
        return "canary: {clusters: {prod: {bootstrap-servers: 'b:1'}}, " + keys + "}";
    }

    static ConfigLoader.Loaded load(String yaml) throws InvalidConfigException {
        return load(Map.of(), yaml);
    }

    static ConfigLoader.Loaded load(Map<String, String> environment, String yaml) throws InvalidConfigException {
        return new ConfigLoader(environment).load(yaml, "test");
    }

    /** The clusters of a file, once for each profile. */
    public static List<ClusterConfig> clusters(String yaml) throws InvalidConfigException {
        return load(yaml).config().clusters();
    }

    /** What is wrong with a file; something must be. */
    static List<String> faults(String yaml) {
        InvalidConfigException e = catchThrowableOfType(InvalidConfigException.class, () -> load(yaml));
        assertThat(e).as("refused").isNotNull();
        return e.faults().stream().map(ConfigFault::toString).toList();
    }
}
