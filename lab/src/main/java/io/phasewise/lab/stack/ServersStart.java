/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.progress.StepState;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.MissingException;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.server.GrafanaFinder;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Starts all that is no broker, where it does not run: the stack's own JVMs, sized for a laptop,
 * and the servers that are to be had. Without one of these, or with a Grafana that does not start,
 * the rest of the stack runs all the same. What they are configured to do is left to {@link
 * MonitoringFiles}.
 */
final class ServersStart {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration SLOW_BOUND = Duration.ofSeconds(120);
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

    /** Returns when a probe went all the way round for every broker. */
    void startCanary() throws IOException, InterruptedException {
        startIfAbsent(
                ComponentKind.CANARY,
                SLOW_BOUND,
                canary ->
                        jvm(
                                canary,
                                CanaryJvm.options(),
                                start.installation().canaryJar(),
                                List.of("--config", files.writeCanary().toString())));
    }

    void startReceiver() throws IOException, InterruptedException {
        List<String> small =
                List.of("-Xms8m", "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        Path runbooks = start.installation().root().resolve("alerting/runbooks");
        startIfAbsent(
                ComponentKind.RECEIVER,
                SLOW_BOUND,
                receiver -> {
                    String port = Integer.toString(receiver.port());
                    List<String> arguments =
                            List.of("receiver", "--port", port, "--runbooks", runbooks.toString());
                    return jvm(receiver, small, start.installation().labJar(), arguments);
                });
    }

    private ProcessSpec jvm(
            Component component, List<String> options, Path jar, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(Programs.java()));
        command.addAll(options);
        command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-Djava.awt.headless=true", "-jar"));
        command.add(jar.toString());
        command.addAll(arguments);
        String name = component.name();
        return new ProcessSpec(name, command, Map.of(), directory.home(name), start.log(component));
    }

    /**
     * Alertmanager, then Prometheus, then the host's exporter, without which only the host's panels
     * are empty: what must be built is built one after the other, while the brokers start.
     *
     * @param measuring open once the canary measures: a Prometheus that looks earlier would page
     *     somebody about a canary that is down
     */
    void startMonitoring(CountDownLatch measuring) throws IOException, InterruptedException {
        boolean hostRuns =
                start.absent().stream()
                        .noneMatch(component -> component.kind() == ComponentKind.NODE_EXPORTER);
        startIfAbsent(
                ComponentKind.ALERTMANAGER,
                BOUND,
                component ->
                        ServerSpecs.alertmanager(
                                find(ServerKind.ALERTMANAGER, component),
                                files.writeAlertmanager(),
                                data(component),
                                component.port(),
                                start.log(component)));
        startIfAbsent(
                ComponentKind.PROMETHEUS,
                BOUND,
                component -> {
                    ProcessSpec prometheus = prometheus(component, hostRuns);
                    // The time until it goes on is not its own.
                    start.show(component, StepState.WAITING, "for the canary");
                    measuring.await();
                    return prometheus;
                });
        startIfAbsent(
                ComponentKind.NODE_EXPORTER,
                BOUND,
                component -> {
                    ServerInstallation found = find(ServerKind.NODE_EXPORTER, component);
                    files.writeNodeTarget();
                    Path home = directory.home(component.name());
                    return ServerSpecs.nodeExporter(
                            found, home, component.port(), start.log(component));
                });
    }

    private ServerInstallation find(ServerKind kind, Component component)
            throws InterruptedException {
        return servers.findOrBuild(kind, what -> start.working(component, what));
    }

    private ProcessSpec prometheus(Component component, boolean hostRuns)
            throws IOException, InterruptedException {
        ServerInstallation found =
                servers.findOldOrBuild(
                        ServerKind.PROMETHEUS, what -> start.working(component, what));
        boolean full = found.isFull(ServerKind.PROMETHEUS);
        if (!full) {
            remarks.add(
                    """
                    Classic mode: prometheus is %s and has no native histograms
                      Percentiles are coarser and a few panels empty; series and alerts are the same. %s or newer has them.\
                    """
                            .formatted(found.version(), ServerKind.PROMETHEUS.minimum()));
        }
        return ServerSpecs.prometheus(
                found,
                files.writePrometheus(full, hostRuns),
                data(component),
                component.port(),
                start.log(component));
    }

    /** Grafana, if there is one; that it will not start is said and is no failure. */
    void startGrafana() throws IOException, InterruptedException {
        Path dashboards = start.installation().root().resolve("dashboards");
        startIfAbsent(
                ComponentKind.GRAFANA,
                SLOW_BOUND,
                component ->
                        ServerSpecs.grafana(
                                grafana.find(),
                                dashboards.resolve("provisioning"),
                                dashboards.resolve("generated"),
                                ServerSpecs.url(start.ports().of(ComponentKind.PROMETHEUS)),
                                directory.home(component.name()),
                                component.port(),
                                start.log(component)));
    }

    /** What was left out and how to get it, for the screen once all is ready. */
    List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Says how to run a component, once what it takes is there. */
    private interface Recipe {
        /**
         * @throws MissingException when its program is not to be had
         */
        ProcessSpec of(Component component) throws IOException, InterruptedException;
    }

    private void startIfAbsent(ComponentKind kind, Duration bound, Recipe recipe)
            throws IOException, InterruptedException {
        Optional<Component> absent =
                start.absent().stream().filter(component -> component.kind() == kind).findFirst();
        if (absent.isPresent()) {
            try {
                start(absent.get(), bound, recipe);
            } catch (IOException | RuntimeException failure) {
                start.show(absent.get(), StepState.FAILED, "");
                throw failure;
            }
        }
    }

    private void start(Component component, Duration bound, Recipe recipe)
            throws IOException, InterruptedException {
        start.working(component, "looking for it");
        ProcessSpec spec;
        try {
            spec = recipe.of(component);
        } catch (MissingException missing) {
            String reason = missing.reason();
            leaveOut(component, reason.lines().findFirst().orElse(""), reason, missing.howToGet());
            return;
        }
        ManagedProcess process = start.launch(component, spec);
        try {
            start.awaitReady(component, process, bound);
        } catch (AwaitException notReady) {
            if (component.kind() != ComponentKind.GRAFANA) {
                throw notReady;
            }
            process.stop(GRAFANA_STOP);
            String what = "`logs grafana` shows why; the rest runs without it.";
            leaveOut(component, "did not start", "it did not start", what);
        }
    }

    private void leaveOut(Component component, String detail, String reason, String remedy) {
        start.show(component, StepState.SKIPPED, detail);
        remarks.add("No %s: %s%n  %s".formatted(component.name(), reason, remedy));
    }

    private Path data(Component component) {
        return directory.home(component.name()).resolve("data");
    }
}
