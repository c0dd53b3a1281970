/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Notes which alerts a row raised and when, from its start until it is closed. */
final class AlertWatch implements AutoCloseable {
    private static final long LOOK_SECONDS = 1;

    private final Optional<Monitoring> monitoring;
    private final long start = System.nanoTime();
    private final RaisedAlerts raised;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    AlertWatch(Optional<Monitoring> monitoring) throws IOException, InterruptedException {
        this.monitoring = monitoring;
        this.raised =
                monitoring.isPresent()
                        ? new RaisedAlerts(
                                names(monitoring.get().standing()),
                                monitoring.get().reported().inhibited())
                        : new RaisedAlerts(Set.of(), Set.of());
        if (monitoring.isPresent()) {
            timer.scheduleWithFixedDelay(this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
        }
    }

    /**
     * Waits until no alert of some kinds is pending or firing. What remains after the bound is
     * subtracted like the others.
     *
     * @throws IOException when Prometheus cannot be asked
     */
    static void awaitQuiet(Monitoring monitoring, Predicate<String> those, Duration bound)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        while (names(monitoring.standing()).stream().anyMatch(those)
                && System.nanoTime() - start < bound.toNanos()) {
            TimeUnit.SECONDS.sleep(LOOK_SECONDS);
        }
    }

    private static Set<String> names(Set<Monitoring.Alert> alerts) {
        Set<String> names = new TreeSet<>();
        alerts.forEach(alert -> names.add(alert.name()));
        return names;
    }

    private void look() {
        try {
            Set<Monitoring.Alert> firing = monitoring.orElseThrow().firing();
            Monitoring.Reported now = monitoring.orElseThrow().reported();
            double seconds = (System.nanoTime() - start) / 1e9;
            synchronized (raised) {
                raised.look(firing, now, seconds);
            }
        } catch (IOException down) {
            // Prometheus itself may be what is broken; it is asked again in a second.
            return;
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /** Alerts that began to fire, with the seconds since the start. */
    Map<String, Double> fired() {
        synchronized (raised) {
            return new LinkedHashMap<>(raised.fired());
        }
    }

    /** Alerts that Alertmanager held back, and had not before. */
    List<String> inhibited() {
        synchronized (raised) {
            return List.copyOf(raised.inhibited());
        }
    }

    /** Alerts that were reported as resolved until now, of those that the row raised. */
    List<String> resolved() {
        synchronized (raised) {
            return List.copyOf(raised.resolved().keySet());
        }
    }

    /** Alerts that were pending, firing or held back already; they are not the row's. */
    List<String> before() {
        return List.copyOf(raised.before());
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
