/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.telemetry;

import io.phasewise.common.file.JarResource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The table {@code client-metrics.csv}: what clients push, and what is made of it. */
public final class PushedMetrics {

    /** With which all names begin in a subscription and in a push. */
    public static final String PREFIX = "org.apache.kafka.";

    private PushedMetrics() {}

    /** The cells of each row: metric, kind, weights, sources, help. */
    public static List<String[]> rows() {
        return JarResource.rows(PushedMetrics.class, "client-metrics.csv", 5);
    }

    /**
     * The whole names of all that clients of a library are to push.
     *
     * @param library as the table has it after an at sign; empty for one that it does not single out
     */
    public static List<String> names(String library) {
        return rows().stream()
                .flatMap(row -> Arrays.stream((row[2] + " " + row[3]).trim().split(" ")))
                .map(source -> source.split("@", 2))
                .filter(source -> source.length == 1 || source[1].equals(library))
                .map(source -> PREFIX + source[0])
                .distinct()
                .sorted()
                .collect(Collectors.toList());
    }
}
