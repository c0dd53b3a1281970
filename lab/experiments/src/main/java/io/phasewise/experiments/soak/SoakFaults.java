/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.matrix.Layout;
import io.phasewise.experiments.matrix.Row;
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
        Optional<String> to(Fault fault) throws InterruptedException;
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
            Optional<String> obstacle = obstacle(row, machine);
            obstacle.ifPresentOrElse(why -> leftOut.put(row.name(), why), () -> made.add(row));
        }
        return new SoakFaults(List.copyOf(made), leftOut);
    }

    private static Optional<String> obstacle(Row row, Obstacle machine)
            throws InterruptedException {
        if (row.fault().needs().contains(Fault.Need.SERVERS)) {
            return Optional.of("no Prometheus watches a soak");
        }
        if (row.layout().secured()) {
            return Optional.of("a soak's brokers do not ask who may do what");
        }
        if (row.layout().clock()) {
            return Optional.of("no clock of a soak's brokers can be set");
        }
        return row.layout().equals(Layout.PLAIN)
                ? machine.to(row.fault())
                : Optional.of("a soak has three brokers and the default probes");
    }
}
