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
 * Which alerts and suspects are a row's own, and since when. Who looks is left to others; they may
 * do so on another thread.
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
    private boolean mended;

    /**
     * @param standing alerts that are pending or firing already; they are not the row's
     * @param held names of those that are held back already
     */
    public AlertHistory(Set<Alert> standing, Set<String> held) {
        before = Set.copyOf(standing);
        heldBefore = Set.copyOf(held);
    }

    /** Takes how alerts stand so many seconds after the start. */
    public synchronized void alerts(Set<Alert> firing, ReportedAlerts now, double seconds) {
        firing.stream().filter(alert -> !before.contains(alert)).forEach(alert -> fired.putIfAbsent(alert, seconds));
        now.held().stream().filter(name -> !heldBefore.contains(name)).forEach(held::add);
        if (!mended) {
            reported.stream().filter(name -> !now.active().contains(name)).forEach(resolved::add);
        }
        now.active().stream().filter(name -> !stoodBefore(name)).forEach(reported::add);
    }

    /** Takes who is named for a cluster, whom probes wait for longest first. */
    public synchronized void suspects(String cluster, List<Suspect> suspects, double seconds) {
        if (mended) {
            return;
        }
        last.put(cluster, suspects);
        if (!suspects.isEmpty()) {
            named.computeIfAbsent(cluster, unused -> new LinkedHashMap<>()).putIfAbsent(suspects.get(0), seconds);
        }
    }

    /** The fault is being mended: who is named or resolved from now on is not its doing. */
    public synchronized void mended() {
        mended = true;
    }

    /** Alerts that began to fire, with the seconds since the start. */
    public Map<Alert, Double> fired() {
        return fired;
    }

    /** Whether an alert of that name was pending or firing before. */
    public boolean stoodBefore(String name) {
        return before.stream().anyMatch(alert -> alert.name().equals(name));
    }

    /** Names of alerts that others held back. */
    public Set<String> held() {
        return held;
    }

    /** Names of alerts of the row that were resolved before the mending. */
    public Set<String> resolved() {
        return resolved;
    }

    /**
     * Whoever was named first of all at some time before the mending, with the seconds since the
     * start.
     */
    public Map<Suspect, Double> named(String cluster) {
        return named.getOrDefault(cluster, Map.of());
    }

    /** All who were named at the last look before the mending. */
    public List<Suspect> last(String cluster) {
        return last.getOrDefault(cluster, List.of());
    }

    /** All names of alerts that fired for a cluster, or for none. */
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
