/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Screen;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.server.BuildProgress;
import io.phasewise.lab.server.GrafanaFinder;
import io.phasewise.lab.server.GrafanaInstallation;
import io.phasewise.lab.server.Lookup;
import io.phasewise.lab.server.Lookup.Missing;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Starts Prometheus, Alertmanager, node_exporter and Grafana where they are to be had; without one
 * of them, or with a Grafana that does not start, the rest of the stack runs all the same. What
 * they are configured to do is left to {@link MonitoringFiles}.
 */
final class ServersStart {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration GRAFANA_BOUND = Duration.ofSeconds(120);
    private static final Duration GRAFANA_STOP = Duration.ofSeconds(5);

    private final Start start;
    private final StateDirectory directory;
    private final ComponentStarter starter;
    private final ServerProvider servers;
    private final GrafanaFinder grafana;
    private final MonitoringFiles files;
    private final Queue<String> remarks = new ConcurrentLinkedQueue<>();

    ServersStart(Start start, Map<String, String> environment) {
        this.start = start;
        this.directory = start.directory();
        this.starter = start.starter();
        this.servers = ServerProvider.forUser(start.installation().root(), environment);
        this.grafana = new GrafanaFinder(environment);
        this.files = new MonitoringFiles(start.installation(), directory, start.ports());
    }

    /**
     * Alertmanager, then Prometheus, then the host's exporter, without which only the host's panels
     * are empty: what must be built is built one after the other, while the brokers start.
     *
     * @param measuring open once the canary measures: a Prometheus that looks earlier would page
     *     somebody about a canary that is down
     */
    void startMonitoring(CountDownLatch measuring) throws LaunchException, InterruptedException {
        Optional<Component> nodeExporter = start.absent(ComponentKind.NODE_EXPORTER);
        Optional<Component> alertmanager = start.absent(ComponentKind.ALERTMANAGER);
        if (alertmanager.isPresent()) {
            startAlertmanager(alertmanager.get());
        }
        Optional<Component> prometheus = start.absent(ComponentKind.PROMETHEUS);
        if (prometheus.isPresent()) {
            startPrometheus(prometheus.get(), nodeExporter.isEmpty(), measuring);
        }
        if (nodeExporter.isPresent()) {
            startNodeExporter(nodeExporter.get());
        }
    }

    private void startAlertmanager(Component component)
            throws LaunchException, InterruptedException {
        Optional<ServerInstallation> found = findOrBuild(component, ServerKind.ALERTMANAGER);
        if (found.isPresent()) {
            starter.working(component, "checking its configuration");
            Path configuration = files.writeAlertmanager(found.get().tool());
            starter.start(
                    component,
                    ServerSpecs.alertmanager(
                            found.get(),
                            configuration,
                            directory.home("alertmanager").resolve("data"),
                            component.port(),
                            directory.log("alertmanager")),
                    BOUND);
        }
    }

    private void startPrometheus(
            Component component, boolean nodeExporter, CountDownLatch measuring)
            throws LaunchException, InterruptedException {
        starter.working(component, "looking for it");
        Optional<ServerInstallation> found =
                foundOrLeftOut(
                        component,
                        servers.findOldOrBuild(ServerKind.PROMETHEUS, progressOf(component)));
        if (found.isEmpty()) {
            return;
        }
        starter.working(component, "checking its configuration");
        boolean full = found.get().isFull(ServerKind.PROMETHEUS);
        if (!full) {
            remarks.add(
                    """
                    Classic mode: prometheus is %s and has no native histograms
                      Percentiles are coarser and a few panels empty; series and alerts are the same. %s or newer has them.\
                    """
                            .formatted(found.get().version(), ServerKind.PROMETHEUS.minimum()));
        }
        Path configuration = files.writePrometheus(found.get().tool(), full, nodeExporter);
        starter.waiting(component, "for the canary");
        measuring.await();
        starter.start(
                component,
                ServerSpecs.prometheus(
                        found.get(),
                        configuration,
                        directory.home("prometheus").resolve("data"),
                        component.port(),
                        directory.log("prometheus")),
                BOUND);
    }

    private void startNodeExporter(Component component)
            throws LaunchException, InterruptedException {
        Optional<ServerInstallation> found = findOrBuild(component, ServerKind.NODE_EXPORTER);
        if (found.isPresent()) {
            starter.start(
                    component,
                    ServerSpecs.nodeExporter(
                            found.get(),
                            directory.home("node-exporter"),
                            component.port(),
                            directory.log("node-exporter")),
                    BOUND);
            files.writeNodeTarget();
        }
    }

    /** Grafana, if there is one; that it will not start is said and is no failure. */
    void startGrafana() throws LaunchException, InterruptedException {
        Optional<Component> absent = start.absent(ComponentKind.GRAFANA);
        if (absent.isEmpty()) {
            return;
        }
        Component component = absent.get();
        starter.working(component, "looking for it");
        Optional<GrafanaInstallation> found = foundOrLeftOut(component, grafana.find());
        if (found.isEmpty()) {
            return;
        }
        Path dashboards = start.installation().dashboards();
        ManagedProcess process =
                starter.launch(
                        component,
                        ServerSpecs.grafana(
                                found.get(),
                                dashboards.resolve("provisioning"),
                                dashboards.resolve("generated"),
                                ServerSpecs.url(start.port(ComponentKind.PROMETHEUS)),
                                directory.home("grafana"),
                                component.port(),
                                directory.log("grafana")));
        try {
            starter.awaitReady(component, process, GRAFANA_BOUND);
        } catch (AwaitException notReady) {
            process.stop(GRAFANA_STOP);
            starter.skipped(component, "did not start");
            remarks.add(
                    """
                    No grafana: it did not start
                      `logs grafana` shows why; the rest runs without it.\
                    """);
        }
    }

    /** What was left out and how to get it, for the {@link Screen} once all is ready. */
    List<String> remarks() {
        return List.copyOf(remarks);
    }

    private Optional<ServerInstallation> findOrBuild(Component component, ServerKind kind)
            throws InterruptedException {
        starter.working(component, "looking for it");
        return foundOrLeftOut(component, servers.findOrBuild(kind, progressOf(component)));
    }

    private <T> Optional<T> foundOrLeftOut(Component component, Lookup<T> lookup) {
        if (lookup instanceof Missing<T> missing) {
            starter.skipped(component, missing.reason().lines().findFirst().orElse(""));
            remarks.add(
                    "No %s: %s%n  %s"
                            .formatted(component.name(), missing.reason(), missing.howToGet()));
        }
        return lookup.found();
    }

    private BuildProgress progressOf(Component component) {
        return (stage, done, total) -> {
            String count = total > 0 ? " " + done + " of " + total : done > 0 ? " " + done : "";
            starter.working(
                    component,
                    switch (stage) {
                        case WAITING -> "another launcher is building it";
                        case DOWNLOADING -> "building it, once: getting modules" + count;
                        case COMPILING -> "building it, once: compiling packages" + count;
                    });
        };
    }
}
