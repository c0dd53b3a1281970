/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.Screen;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.MissingException;
import io.phasewise.lab.server.GrafanaFinder;
import io.phasewise.lab.server.GrafanaInstallation;
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
import java.util.function.Consumer;

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
    private final ServerProvider servers;
    private final GrafanaFinder grafana;
    private final MonitoringFiles files;
    private final Queue<String> remarks = new ConcurrentLinkedQueue<>();

    ServersStart(Start start, Map<String, String> environment) {
        this.start = start;
        this.directory = start.directory();
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
        boolean hostRuns = start.absent(ComponentKind.NODE_EXPORTER).isEmpty();
        startIfAbsent(
                ComponentKind.ALERTMANAGER,
                component -> servers.findOrBuild(ServerKind.ALERTMANAGER, heard(component)),
                (component, found) ->
                        start.run(
                                component,
                                ServerSpecs.alertmanager(
                                        found,
                                        files.writeAlertmanager(),
                                        data(component),
                                        component.port(),
                                        start.log(component)),
                                BOUND));
        startIfAbsent(
                ComponentKind.PROMETHEUS,
                component -> servers.findOldOrBuild(ServerKind.PROMETHEUS, heard(component)),
                (component, found) -> startPrometheus(component, found, hostRuns, measuring));
        startIfAbsent(
                ComponentKind.NODE_EXPORTER,
                component -> servers.findOrBuild(ServerKind.NODE_EXPORTER, heard(component)),
                (component, found) -> {
                    start.run(
                            component,
                            ServerSpecs.nodeExporter(
                                    found,
                                    directory.home(component.name()),
                                    component.port(),
                                    start.log(component)),
                            BOUND);
                    files.writeNodeTarget();
                });
    }

    private void startPrometheus(
            Component component,
            ServerInstallation found,
            boolean hostRuns,
            CountDownLatch measuring)
            throws LaunchException, InterruptedException {
        boolean full = found.isFull(ServerKind.PROMETHEUS);
        if (!full) {
            remarks.add(
                    """
                    Classic mode: prometheus is %s and has no native histograms
                      Percentiles are coarser and a few panels empty; series and alerts are the same. %s or newer has them.\
                    """
                            .formatted(found.version(), ServerKind.PROMETHEUS.minimum()));
        }
        Path configuration = files.writePrometheus(full, hostRuns);
        start.waiting(component, "for the canary");
        measuring.await();
        start.run(
                component,
                ServerSpecs.prometheus(
                        found,
                        configuration,
                        data(component),
                        component.port(),
                        start.log(component)),
                BOUND);
    }

    /** Grafana, if there is one; that it will not start is said and is no failure. */
    void startGrafana() throws LaunchException, InterruptedException {
        startIfAbsent(ComponentKind.GRAFANA, component -> grafana.find(), this::startGrafana);
    }

    private void startGrafana(Component component, GrafanaInstallation found)
            throws LaunchException, InterruptedException {
        Path dashboards = start.installation().dashboards();
        ManagedProcess process =
                start.launch(
                        component,
                        ServerSpecs.grafana(
                                found,
                                dashboards.resolve("provisioning"),
                                dashboards.resolve("generated"),
                                ServerSpecs.url(start.ports().of(ComponentKind.PROMETHEUS)),
                                directory.home(component.name()),
                                component.port(),
                                start.log(component)));
        try {
            start.awaitReady(component, process, GRAFANA_BOUND);
        } catch (AwaitException notReady) {
            process.stop(GRAFANA_STOP);
            start.skipped(component, "did not start");
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

    /** Looks for what a component runs. */
    private interface Search<T> {
        T find(Component component) throws InterruptedException;
    }

    /** Starts what was found. */
    private interface Launch<T> {
        void start(Component component, T found) throws LaunchException, InterruptedException;
    }

    /** Leaves a component out whose program is not to be had. */
    private <T> void startIfAbsent(ComponentKind kind, Search<T> search, Launch<T> launch)
            throws LaunchException, InterruptedException {
        Optional<Component> absent = start.absent(kind);
        if (absent.isEmpty()) {
            return;
        }
        Component component = absent.get();
        start.working(component, "looking for it");
        T found;
        try {
            found = search.find(component);
        } catch (MissingException missing) {
            start.skipped(component, missing.reason().lines().findFirst().orElse(""));
            remarks.add(
                    "No %s: %s%n  %s"
                            .formatted(component.name(), missing.reason(), missing.howToGet()));
            return;
        }
        launch.start(component, found);
    }

    private Path data(Component component) {
        return directory.home(component.name()).resolve("data");
    }

    private Consumer<String> heard(Component component) {
        return what -> start.working(component, what);
    }
}
