/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import java.util.ArrayList;
import java.util.List;

/**
 * How the canary's JVM is set up; how long it then is paused for collections was measured, see
 * docs/evidence/benchmarks.md. What it runs is left to others.
 */
public final class CanaryJvm {
    /** The release in which ZGC got generations (JEP 439), to be asked for. */
    private static final int GENERATIONS_BY_OPTION = 21;

    /** The release from which on it has them unasked (JEP 474); later ones drop the option. */
    private static final int GENERATIONS_BY_DEFAULT = 23;

    private CanaryJvm() {}

    /**
     * Options for the command line: a fixed heap, and the collector that stops the canary least,
     * for it measures milliseconds and its own pauses must stay far below.
     *
     * @param release the Java release it runs on, 17 or later
     */
    public static List<String> options(int release) {
        List<String> options = new ArrayList<>(List.of("-Xms128m", "-Xmx128m", "-XX:+UseZGC"));
        if (release >= GENERATIONS_BY_OPTION && release < GENERATIONS_BY_DEFAULT) {
            options.add("-XX:+ZGenerational");
        }
        return List.copyOf(options);
    }

    /** The same for the Java that runs this. */
    public static List<String> options() {
        return options(Runtime.version().feature());
    }
}
