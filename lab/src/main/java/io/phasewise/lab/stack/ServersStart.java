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
import io.phasewise.lab.server.Lookup.Found;
import io.phasewise.lab.server.Lookup.Missing;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    private final Installation installation;
    private final StateDirectory directory;
    private final StackPorts ports;
    private final ComponentStarter starter;
    private final ServerProvider servers;
    private final GrafanaFinder grafana;
    private final MonitoringFiles files;
    private final Queue<String> remarks = new ConcurrentLinkedQueue<>();

    ServersStart(
            Installation installation,
            StateDirectory directory,
            StackPorts ports,
            ComponentStarter starter,
            Map<String, String> environment) {
        this.installation = installation;
        this.directory = directory;
        this.ports = ports;
        this.starter = starter;
        this.servers = ServerProvider.forUser(installation.root(), environment);
        this.grafana = new GrafanaFinder(environment);
        this.files = new MonitoringFiles(installation, directory, ports);
    }

    /**
     * Alertmanager, then Prometheus: what must be built is built one after the other, while the
     * brokers start.
     *
     * @param measuring open once the canary measures: a Prometheus that looks earlier would page
     *     somebody about a canary that is down
     */
    void startPrometheusAndAlertmanager(Map<String, Component> absent, CountDownLatch measuring)
            throws LaunchException, InterruptedException {
        if (absent.containsKey("alertmanager")) {
            startAlertmanager(absent.get("alertmanager"));
        }
        if (absent.containsKey("prometheus")) {
            startPrometheus(
                    absent.get("prometheus"), !absent.containsKey("node-exporter"), measuring);
        }
    }

    /** The host's exporter, last of what is built: without it only the host's panels are empty. */
    void startNodeExporter(Map<String, Component> absent)
            throws LaunchException, InterruptedException {
        Component component = absent.get("node-exporter");
        if (component == null) {
            return;
        }
        Lookup<ServerInstallation> lookup = findOrBuild(component, ServerKind.NODE_EXPORTER);
        if (lookup instanceof Missing<ServerInstallation> missing) {
            leaveOut(component, missing);
        } else if (lookup instanceof Found<ServerInstallation> found) {
            starter.start(
                    component,
                    ServerSpecs.nodeExporter(
                            found.installation(),
                            directory.home("node-exporter"),
                            component.port(),
                            directory.log("node-exporter")),
                    BOUND);
            files.writeNodeTarget();
        }
    }

    /** Grafana, if there is one; that it will not start is said and is no failure. */
    void startGrafana(Map<String, Component> absent) throws LaunchException, InterruptedException {
        Component component = absent.get("grafana");
        if (component == null) {
            return;
        }
        starter.working(component, "looking for it");
        Lookup<GrafanaInstallation> lookup = grafana.find();
        if (lookup instanceof Missing<GrafanaInstallation> missing) {
            leaveOut(component, missing);
        } else if (lookup instanceof Found<GrafanaInstallation> found) {
            ManagedProcess process =
                    starter.launch(
                            component,
                            ServerSpecs.grafana(
                                    found.installation(),
                                    installation.dashboards().resolve("provisioning"),
                                    installation.dashboards().resolve("generated"),
                                    ServerSpecs.url(ports.prometheus()),
                                    directory.home("grafana"),
                                    component.port(),
                                    directory.log("grafana")));
            try {
                starter.awaitReady(component, process, GRAFANA_BOUND);
            } catch (AwaitException notReady) {
                process.stop(GRAFANA_STOP);
                starter.skipped(component, "did not start");
                remarks.add(
                        "No grafana: it did not start\n  `logs grafana` shows why;"
                                + " the rest runs without it.");
            }
        }
    }

    /** What was left out and how to get it, for the {@link Screen} once all is ready. */
    List<String> remarks() {
        return List.copyOf(remarks);
    }

    private void startAlertmanager(Component component)
            throws LaunchException, InterruptedException {
        Lookup<ServerInstallation> lookup = findOrBuild(component, ServerKind.ALERTMANAGER);
        if (lookup instanceof Missing<ServerInstallation> missing) {
            leaveOut(component, missing);
        } else if (lookup instanceof Found<ServerInstallation> found) {
            starter.working(component, "checking its configuration");
            Path configuration = files.writeAlertmanager(found.installation().tool());
            starter.start(
                    component,
                    ServerSpecs.alertmanager(
                            found.installation(),
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
        Lookup<ServerInstallation> lookup =
                servers.findOldOrBuild(ServerKind.PROMETHEUS, progressOf(component));
        if (lookup instanceof Missing<ServerInstallation> missing) {
            leaveOut(component, missing);
        } else if (lookup instanceof Found<ServerInstallation> found) {
            starter.working(component, "checking its configuration");
            boolean full = found.installation().isFull(ServerKind.PROMETHEUS);
            if (!full) {
                remarks.add(
                        "Classic mode: prometheus is "
                                + found.installation().version()
                                + " and has no native histograms\n  Percentiles are coarser and"
                                + " a few panels empty; series and alerts are the same. "
                                + ServerKind.PROMETHEUS.minimum()
                                + " or newer has them.");
            }
            Path configuration =
                    files.writePrometheus(found.installation().tool(), full, nodeExporter);
            starter.waiting(component, "for the canary");
            measuring.await();
            starter.start(
                    component,
                    ServerSpecs.prometheus(
                            found.installation(),
                            configuration,
                            directory.home("prometheus").resolve("data"),
                            component.port(),
                            directory.log("prometheus")),
                    BOUND);
        }
    }

    private Lookup<ServerInstallation> findOrBuild(Component component, ServerKind kind)
            throws InterruptedException {
        starter.working(component, "looking for it");
        return servers.findOrBuild(kind, progressOf(component));
    }

    private BuildProgress progressOf(Component component) {
        return (stage, done, total) -> starter.working(component, words(stage, done, total));
    }

    private static String words(BuildProgress.Stage stage, int done, int total) {
        String count = total > 0 ? " " + done + " of " + total : done > 0 ? " " + done : "";
        return switch (stage) {
            case WAITING -> "another launcher is building it";
            case DOWNLOADING -> "building it, once: getting modules" + count;
            case COMPILING -> "building it, once: compiling packages" + count;
        };
    }

    private void leaveOut(Component component, Missing<?> missing) {
        String first = missing.reason().lines().findFirst().orElse("");
        starter.skipped(component, first);
        remarks.add(
                "No " + component.name() + ": " + missing.reason() + "\n  " + missing.howToGet());
    }
}
