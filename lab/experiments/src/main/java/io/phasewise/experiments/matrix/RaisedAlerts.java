/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells alerts of a row from those that were there before it; pure. Who looks is left to others.
 */
final class RaisedAlerts {
    private final Set<String> before = new TreeSet<>();
    private final Map<String, Double> fired = new LinkedHashMap<>();
    private final Set<String> inhibited = new TreeSet<>();

    /**
     * @param standing names of alerts that are pending or firing already
     * @param held names of those that are held back already
     */
    RaisedAlerts(Set<String> standing, Set<String> held) {
        before.addAll(standing);
        before.addAll(held);
    }

    /** Takes what fires and is held back so many seconds after the start. */
    void look(Set<Monitoring.Alert> firing, Set<String> held, double seconds) {
        for (Monitoring.Alert alert : firing) {
            if (!before.contains(alert.name())) {
                fired.putIfAbsent(alert.name() + " (" + alert.severity() + ")", seconds);
            }
        }
        held.stream().filter(name -> !before.contains(name)).forEach(inhibited::add);
    }

    /** With the seconds after the start. */
    Map<String, Double> fired() {
        return fired;
    }

    Set<String> inhibited() {
        return inhibited;
    }

    Set<String> before() {
        return before;
    }
}
