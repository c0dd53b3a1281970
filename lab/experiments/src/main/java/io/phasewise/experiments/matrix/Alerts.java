/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What alerts a row raised, judged; pure.
 *
 * @param fired as {@code name (severity)}, with the seconds after the fault began
 * @param inhibited those that others held back
 * @param before those that stood before it already
 * @param resolved those that were reported as resolved while it lasted
 */
record Alerts(
        Map<String, Double> fired,
        List<String> inhibited,
        List<String> before,
        List<String> resolved) {
    static final Alerts NONE = new Alerts(Map.of(), List.of(), List.of(), List.of());

    /**
     * What should have fired and did not, and the other way round. Of the alerts that must fire one
     * must reach somebody, and none may be resolved while the fault lasts.
     */
    List<String> faults(Row row) {
        List<String> names =
                fired.keySet().stream().map(fired -> fired.split(" ", 2)[0]).distinct().toList();
        List<String> faults = new ArrayList<>();
        for (String expected : row.alerts()) {
            if (before.contains(expected)) {
                faults.add(expected + " stood before it, so that nothing can be said of it");
            } else if (!names.contains(expected)) {
                faults.add(expected + " did not fire");
            }
        }
        if (!row.alerts().isEmpty() && inhibited.containsAll(row.alerts())) {
            faults.add("held back, so that nobody is told: " + String.join(", ", row.alerts()));
        }
        row.alerts().stream()
                .filter(resolved::contains)
                .forEach(name -> faults.add(name + " was resolved while the fault lasted"));
        names.stream()
                .filter(row::forbidden)
                .forEach(name -> faults.add(name + " fired, which it must not"));
        return faults;
    }
}
