/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import io.phasewise.experiments.matrix.Row;
import io.phasewise.experiments.matrix.SceneKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which of the matrix's faults a soak makes, and why not the others.
 *
 * @param made in order
 * @param leftOut names of the others, with the reason for people
 */
public record SoakFaults(List<Row> made, Map<String, String> leftOut) {
    /** What speaks against a row on this machine. */
    @FunctionalInterface
    public interface Obstacle {
        /** The reason, for people; empty where nothing does. */
        Optional<String> to(Row.Needs needs) throws InterruptedException;
    }

    /**
     * Sorts them.
     *
     * @param machine is asked only about rows of the soak's scene
     */
    public static SoakFaults of(List<Row> rows, Obstacle machine) throws InterruptedException {
        List<Row> made = new ArrayList<>();
        Map<String, String> leftOut = new LinkedHashMap<>();
        for (Row row : rows) {
            Optional<String> obstacle = obstacle(row.needs(), machine);
            obstacle.ifPresentOrElse(why -> leftOut.put(row.name(), why), () -> made.add(row));
        }
        return new SoakFaults(List.copyOf(made), leftOut);
    }

    private static Optional<String> obstacle(Row.Needs needs, Obstacle machine)
            throws InterruptedException {
        if (needs == Row.Needs.ALERTS) {
            return Optional.of("no Prometheus watches a soak");
        }
        return switch (SceneKind.of(needs)) {
            case PLAIN -> machine.to(needs);
            case SECURED -> Optional.of("a soak's brokers do not ask who may do what");
            case FALSE_CLOCK -> Optional.of("no clock of a soak's brokers can be set");
        };
    }
}
