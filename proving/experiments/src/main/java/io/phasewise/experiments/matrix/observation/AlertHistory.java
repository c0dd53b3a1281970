/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.observation;

import io.phasewise.experiments.matrix.row.Suspect;
import io.phasewise.experiments.matrix.scene.Alert;
import io.phasewise.experiments.matrix.scene.ReportedAlerts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The alerts and suspects that appeared during a row, and when. Looking is left to {@link
 * AlertWatch}, which does so on another thread.
 */
public final class AlertHistory {
    private final Set<Alert> before;
    private final Map<Alert, Double> fired = new LinkedHashMap<>();
    private final Set<String> heldBefore;
    private final Set<String> held = new TreeSet<>();
    private final Set<String> reported = new TreeSet<>();
    private final Set<String> resolved = new TreeSet<>();
    private final Map<String, Map<Suspect, Double>> named = new LinkedHashMap<>();
    private final Map<String, List<Suspect>> last = new LinkedHashMap<>();
    private final Map<String, Double> former = new LinkedHashMap<>();
    private boolean mended;

    /**
     * @param standing alerts that are pending or firing already, so not caused by the row
     * @param held names of alerts that are inhibited already
     */
    public AlertHistory(Set<Alert> standing, Set<String> held) {
        before = Set.copyOf(standing);
        heldBefore = Set.copyOf(held);
    }

    /** Takes the alerts at a time, in seconds since the start. */
    public synchronized void alerts(Set<Alert> firing, ReportedAlerts now, double seconds) {
        firing.stream().filter(alert -> !before.contains(alert)).forEach(alert -> fired.putIfAbsent(alert, seconds));
        now.held().stream().filter(name -> !heldBefore.contains(name)).forEach(held::add);
        if (!mended) {
            reported.stream().filter(name -> !now.active().contains(name)).forEach(resolved::add);
        }
        now.active().stream().filter(name -> !stoodBefore(name)).forEach(reported::add);
    }

    /** Takes the suspects of a cluster; first the one that probes wait for longest. */
    public synchronized void suspects(String cluster, List<Suspect> suspects, double seconds) {
        if (mended) {
            return;
        }
        last.put(cluster, suspects);
        if (!suspects.isEmpty()) {
            named.computeIfAbsent(cluster, unused -> new LinkedHashMap<>()).putIfAbsent(suspects.get(0), seconds);
        }
    }

    /** Takes whom the rules would name that named before the canary did; first the longest wait. */
    public synchronized void former(List<String> suspects, double seconds) {
        if (!mended && !suspects.isEmpty()) {
            former.putIfAbsent(suspects.get(0), seconds);
        }
    }

    /** The mending begins: what is named or resolved from now on does not count. */
    public synchronized void mended() {
        mended = true;
    }

    /** Alerts that began to fire, with the time of each in seconds since the start. */
    public Map<Alert, Double> fired() {
        return fired;
    }

    /** Whether an alert of that name was pending or firing before the row. */
    public boolean stoodBefore(String name) {
        return before.stream().anyMatch(alert -> alert.name().equals(name));
    }

    /** Names of alerts that were inhibited. */
    public Set<String> held() {
        return held;
    }

    /** Names of alerts of the row that Alertmanager had resolved before the mending. */
    public Set<String> resolved() {
        return resolved;
    }

    /**
     * Each suspect that stood first at some time before the mending, with the first such time in
     * seconds since the start.
     */
    public Map<Suspect, Double> named(String cluster) {
        return named.getOrDefault(cluster, Map.of());
    }

    /** The same of the rules that named before the canary did. */
    public Map<String, Double> former() {
        return former;
    }

    /** All suspects at the last look before the mending. */
    public List<Suspect> last(String cluster) {
        return last.getOrDefault(cluster, List.of());
    }

    /** The names of alerts that fired for this cluster, or without a cluster. */
    public List<String> names(String cluster) {
        List<String> names = new ArrayList<>();
        for (Alert alert : fired.keySet()) {
            if (alert.cluster().isEmpty() || alert.cluster().equals(cluster)) {
                names.add(alert.name());
            }
        }
        return names.stream().distinct().toList();
    }
}
