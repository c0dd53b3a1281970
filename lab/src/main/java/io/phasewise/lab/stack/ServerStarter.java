/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.cli.MissingException;
import io.phasewise.common.file.JarResource;
import io.phasewise.common.progress.StepState;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.process.AwaitException;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.server.GrafanaFinder;
import io.phasewise.lab.server.GrafanaInstallation;
import io.phasewise.lab.server.MonitoringFiles;
import io.phasewise.lab.server.MonitoringFiles.Target;
import io.phasewise.lab.server.ReleaseDownloads;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Starts each component that is no node and does not run: the stack's own JVMs, sized for a laptop,
 * and the servers that can be found or built. When a server is missing, or Grafana does not start,
 * the stack runs without it.
 */
final class ServerStarter {

    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final Duration GRAFANA_STOP = Duration.ofSeconds(5);
    private static final List<String> SMALL =
            List.of("-Xms8m", "-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final StackStarter starter;
    private final Installation installation;
    private final Path root;
    private final StackPorts ports;
    private final StateDirectory directory;
    private final ServerProvider servers;
    private final GrafanaFinder grafana;
    private final MonitoringFiles files;
    private final CountDownLatch measuring = new CountDownLatch(1);
    private final Queue<String> remarks = new ConcurrentLinkedQueue<>();

    ServerStarter(StackStarter starter) {
        Map<String, String> environment = starter.context().environment();
        this.starter = starter;
        this.installation = starter.context().installation();
        this.root = installation.root();
        this.ports = starter.ports();
        this.directory = starter.directory();
        ReleaseDownloads downloads = ReleaseDownloads.forUser(root, environment);
        this.servers = ServerProvider.forUser(root, environment, downloads);
        this.grafana = new GrafanaFinder(environment, downloads);
        this.files = new MonitoringFiles(root, directory.path());
    }

    /** What is missing and how to get it, to be printed when the stack is ready. */
    List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Lets Prometheus start: before, it would page for a canary that is down. */
    void canaryMeasures() {
        measuring.countDown();
    }

    /** Starts the component of this kind if it does not run, and returns when it is ready. */
    void start(ComponentKind kind) throws IOException, InterruptedException {
        Optional<Component> absent = absent(kind);
        if (absent.isPresent()) {
            try {
                start(absent.get());
            } catch (IOException | RuntimeException failure) {
                starter.show(absent.get(), StepState.FAILED, "");
                throw failure;
            }
        }
    }

    private Optional<Component> absent(ComponentKind kind) {
        return starter.absent().stream()
                .filter(component -> component.kind() == kind)
                .findFirst();
    }

    private void start(Component component) throws IOException, InterruptedException {
        starter.working(component, "looking for it");
        ProcessSpec spec;
        try {
            spec = spec(component);
        } catch (MissingException missing) {
            String reason = missing.reason();
            leaveOut(component, reason.lines().findFirst().orElse(""), reason, missing.howToGet());
            return;
        }
        ManagedProcess process = starter.launch(component, spec);
        try {
            starter.awaitReady(component, process, BOUND);
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
        starter.show(component, StepState.SKIPPED, detail);
        remarks.add("No %s: %s%n  %s".formatted(component.name(), reason, remedy));
    }

    /**
     * Finds or builds what the component needs, writes its files, and says how to run it.
     *
     * @throws MissingException when its program can be neither found nor built
     */
    private ProcessSpec spec(Component component) throws IOException, InterruptedException {
        Path home = directory.home(component.name());
        int port = component.port();
        Path log = starter.log(component);
        return switch (component.kind()) {
            case CANARY -> {
                List<String> arguments = List.of("--config", writeCanary().toString());
                Path jar = installation.canaryJar();
                yield jvm(component, CanaryJvm.options(), jar, arguments);
            }
            case RECEIVER -> {
                String runbooks = root.resolve("alerting/runbooks").toString();
                List<String> arguments = List.of("receiver", "--port", "" + port, "--runbooks", runbooks);
                yield jvm(component, SMALL, installation.labJar(), arguments);
            }
            case ALERTMANAGER -> {
                ServerInstallation found = find(ServerKind.ALERTMANAGER, component);
                Path configuration = files.writeAlertmanager(url(ComponentKind.RECEIVER));
                yield ServerSpecs.alertmanager(found, configuration, home.resolve("data"), port, log);
            }
            case PROMETHEUS -> {
                ServerInstallation found =
                        servers.findOldOrBuild(ServerKind.PROMETHEUS, what -> starter.working(component, what));
                sayWhyBuilt(ServerKind.PROMETHEUS);
                Path configuration = writePrometheus(found);
                // Shown as waiting, as this time is not its own.
                starter.show(component, StepState.WAITING, "for the canary");
                measuring.await();
                yield ServerSpecs.prometheus(found, configuration, home.resolve("data"), port, log);
            }
            case NODE_EXPORTER -> {
                ServerInstallation found = find(ServerKind.NODE_EXPORTER, component);
                files.writeTargets("node", target(ComponentKind.NODE_EXPORTER));
                yield ServerSpecs.nodeExporter(found, home, port, log);
            }
            case GRAFANA -> {
                Path dashboards = root.resolve("dashboards");
                URI source = url(ComponentKind.PROMETHEUS);
                GrafanaInstallation found = grafana.find(what -> starter.working(component, what));
                yield ServerSpecs.grafana(found, dashboards, source, home, port, log);
            }
            case BROKER, CONTROLLER -> throw new IllegalArgumentException(component.name());
        };
    }

    private ProcessSpec jvm(Component component, List<String> options, Path jar, List<String> arguments) {
        List<String> command = Programs.jar(options, jar, arguments);
        String name = component.name();
        return new ProcessSpec(name, command, Map.of(), directory.home(name), starter.log(component));
    }

    private ServerInstallation find(ServerKind kind, Component component) throws InterruptedException {
        ServerInstallation found = servers.findOrBuild(kind, what -> starter.working(component, what));
        sayWhyBuilt(kind);
        return found;
    }

    private void sayWhyBuilt(ServerKind kind) {
        servers.whyBuilt(kind).ifPresent(why -> remarks.add("%s was built with Go; %s".formatted(kind.program(), why)));
    }

    /** Writes the canary's configuration. */
    private Path writeCanary() throws IOException {
        String exporters = IntStream.rangeClosed(1, StackPorts.BROKERS)
                .mapToObj(id -> id + ": \"127.0.0.1:" + ports.exporter(id) + "\"")
                .collect(Collectors.joining(", "));
        Path home = Files.createDirectories(directory.home("canary"));
        String configuration = JarResource.text(ServerStarter.class, "canary.yml")
                .formatted(
                        directory.pauseFile(),
                        home.resolve("state"),
                        ports.of(ComponentKind.CANARY),
                        ports.bootstrap(),
                        exporters);
        return Files.writeString(home.resolve("canary.yml"), configuration);
    }

    private Path writePrometheus(ServerInstallation found) throws IOException {
        boolean full = found.isFull(ServerKind.PROMETHEUS);
        if (!full) {
            remarks.add("""
                    Classic mode: prometheus is %s and has no native histograms
                      Percentiles are coarser and a few panels empty; series and alerts are the same. %s or newer has them.\
                    """.formatted(found.version(), ServerKind.PROMETHEUS.minimum()));
        }
        Path configuration = files.writePrometheus(full);
        files.writeLinks(url(ComponentKind.RECEIVER), url(ComponentKind.GRAFANA));
        files.writeTargets("kafka-broker", nodes(1, StackPorts.BROKERS));
        files.writeTargets("kafka-controller", nodes(Controller.FIRST, ports.controllers()));
        files.writeTargets("kafka-canary", target(ComponentKind.CANARY));
        files.writeTargets("prometheus", target(ComponentKind.PROMETHEUS));
        files.writeTargets("alertmanager", target(ComponentKind.ALERTMANAGER));
        boolean hostRuns = absent(ComponentKind.NODE_EXPORTER).isEmpty();
        files.writeTargets("node", hostRuns ? target(ComponentKind.NODE_EXPORTER) : List.of());
        return configuration;
    }

    private List<Target> nodes(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(this::node).toList();
    }

    private Target node(int id) {
        Map<String, String> labels = Map.of("cluster", "local", "broker", "" + id);
        return new Target(ports.exporter(id), labels);
    }

    private List<Target> target(ComponentKind kind) {
        return List.of(new Target(ports.of(kind), Map.of()));
    }

    private URI url(ComponentKind kind) {
        return ServerSpecs.url(ports.of(kind));
    }
}
