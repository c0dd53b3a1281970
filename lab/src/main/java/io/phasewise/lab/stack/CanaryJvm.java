/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.List;

/**
 * Options of the canary's JVM. Its pauses for garbage collections with them were measured:
 * docs/evidence/benchmarks.md.
 */
public final class CanaryJvm {
    /** From this release on, ZGC has generations as an option (JEP 439). */
    private static final int GENERATIONS_BY_OPTION = 21;

    /**
     * From this release on, ZGC has generations by default (JEP 474); later releases drop the
     * option.
     */
    private static final int GENERATIONS_BY_DEFAULT = 23;

    private CanaryJvm() {}

    /**
     * The options: a fixed heap, and the collector with the shortest pauses, as the canary measures
     * milliseconds.
     *
     * @param release of Java, 17 or later
     */
    public static List<String> options(int release) {
        List<String> options = new ArrayList<>(List.of("-Xms128m", "-Xmx128m", "-XX:+UseZGC"));
        if (release >= GENERATIONS_BY_OPTION && release < GENERATIONS_BY_DEFAULT) {
            options.add("-XX:+ZGenerational");
        }
        return List.copyOf(options);
    }

    /** The options for the Java that runs this. */
    public static List<String> options() {
        return options(Runtime.version().feature());
    }
}
