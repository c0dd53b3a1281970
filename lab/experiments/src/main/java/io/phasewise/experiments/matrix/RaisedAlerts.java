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
    private final Set<String> reported = new TreeSet<>();
    private final Map<String, Double> resolved = new LinkedHashMap<>();

    /**
     * @param standing names of alerts that are pending or firing already
     * @param held names of those that are held back already
     */
    RaisedAlerts(Set<String> standing, Set<String> held) {
        before.addAll(standing);
        before.addAll(held);
    }

    /**
     * Takes how alerts stand so many seconds after the start.
     *
     * @param firing in Prometheus
     * @param now what Alertmanager has
     */
    void look(Set<Monitoring.Alert> firing, Monitoring.Reported now, double seconds) {
        for (Monitoring.Alert alert : firing) {
            if (!before.contains(alert.name())) {
                fired.putIfAbsent(alert.name() + " (" + alert.severity() + ")", seconds);
            }
        }
        now.inhibited().stream().filter(name -> !before.contains(name)).forEach(inhibited::add);
        reported.stream()
                .filter(name -> !now.active().contains(name))
                .forEach(name -> resolved.putIfAbsent(name, seconds));
        now.active().stream().filter(name -> !before.contains(name)).forEach(reported::add);
    }

    /** With the seconds after the start. */
    Map<String, Double> fired() {
        return fired;
    }

    Set<String> inhibited() {
        return inhibited;
    }

    /** Names of alerts that Alertmanager reported as resolved, with when it first did. */
    Map<String, Double> resolved() {
        return resolved;
    }

    Set<String> before() {
        return before;
    }
}
