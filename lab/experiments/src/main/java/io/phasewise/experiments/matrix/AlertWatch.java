/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Notes when which alert began to fire, from its start until it is closed; looks every second. */
final class AlertWatch implements AutoCloseable {
    private final Optional<Monitoring> monitoring;
    private final long start = System.nanoTime();
    private final Map<String, Double> firedAfter = new LinkedHashMap<>();
    private final Set<String> inhibited = new TreeSet<>();
    private final Set<Monitoring.Alert> before;
    private final ScheduledExecutorService timer;

    AlertWatch(Optional<Monitoring> monitoring) throws IOException, InterruptedException {
        this.monitoring = monitoring;
        this.before = monitoring.isPresent() ? monitoring.get().firing() : Set.of();
        this.timer = Executors.newSingleThreadScheduledExecutor();
        if (monitoring.isPresent()) {
            timer.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
        }
    }

    private void look() {
        try {
            Set<Monitoring.Alert> firing = monitoring.orElseThrow().firing();
            Set<String> held = monitoring.orElseThrow().inhibited();
            double seconds = (System.nanoTime() - start) / 1e9;
            synchronized (this) {
                for (Monitoring.Alert alert : firing) {
                    if (!before.contains(alert)) {
                        firedAfter.putIfAbsent(
                                alert.name() + " (" + alert.severity() + ")", seconds);
                    }
                }
                inhibited.addAll(held);
            }
        } catch (IOException down) {
            // Prometheus itself may be what is broken; it is asked again in a second.
            return;
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** Alerts that began to fire, with the seconds since the start. */
    synchronized Map<String, Double> fired() {
        return new LinkedHashMap<>(firedAfter);
    }

    /** Alerts that Alertmanager held back. */
    synchronized List<String> inhibited() {
        return new ArrayList<>(inhibited);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
