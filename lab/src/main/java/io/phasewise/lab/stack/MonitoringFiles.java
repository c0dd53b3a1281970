/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.common.file.JarResource;
import io.phasewise.lab.file.FileTree;
import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Lays out the configuration of Prometheus and Alertmanager in the state directory: the
 * repository's files as they are, and beside them the few that say where things are reached here.
 * The canary's, too, whose keys are documented with it.
 */
final class MonitoringFiles {

    private final Installation installation;
    private final StateDirectory directory;
    private final StackPorts ports;

    MonitoringFiles(Installation installation, StateDirectory directory, StackPorts ports) {
        this.installation = installation;
        this.directory = directory;
        this.ports = ports;
    }

    /**
     * The canary's file.
     *
     * @throws IOException when it cannot be written
     */
    Path writeCanary() throws IOException {
        String exporters =
                IntStream.rangeClosed(1, StackPorts.BROKERS)
                        .mapToObj(id -> id + ": \"127.0.0.1:" + ports.exporter(id) + "\"")
                        .collect(Collectors.joining(", "));
        String configuration =
                JarResource.text(MonitoringFiles.class, "canary.yml")
                        .formatted(
                                directory.pauseFile(),
                                ports.of(ComponentKind.CANARY),
                                ports.bootstrap(),
                                exporters);
        Path home = Files.createDirectories(directory.home("canary"));
        return Files.writeString(home.resolve("canary.yml"), configuration);
    }

    /**
     * Prometheus's files.
     *
     * @param nativeHistograms whether this Prometheus has them, or reads classic ones
     * @param nodeExporter whether the host's exporter runs already; {@link #writeNodeTarget} says
     *     so of one that starts later
     * @return its prometheus.yml
     * @throws IOException when they cannot be written
     */
    Path writePrometheus(boolean nativeHistograms, boolean nodeExporter) throws IOException {
        Path source = installation.root().resolve("prometheus");
        Path home = directory.home("prometheus");
        Path targets = Files.createDirectories(home.resolve("targets"));
        FileTree.mirror(source.resolve("rules"), home.resolve("rules"));
        String links = withLinks(Files.readString(source.resolve("links.yml")));
        Files.writeString(home.resolve("links.yml"), links);
        for (Map.Entry<String, String> target : targets(nodeExporter).entrySet()) {
            Files.writeString(targets.resolve(target.getKey()), target.getValue());
        }
        String configuration = nativeHistograms ? "prometheus.yml" : "prometheus-classic.yml";
        return copy(source.resolve(configuration), home.resolve("prometheus.yml"));
    }

    /**
     * Has a Prometheus that runs scrape the host's exporter: it reads its targets again when they
     * change.
     *
     * @throws IOException when it cannot be written
     */
    void writeNodeTarget() throws IOException {
        Path targets = Files.createDirectories(directory.home("prometheus").resolve("targets"));
        Files.writeString(targets.resolve("node.yml"), target(ComponentKind.NODE_EXPORTER));
    }

    /**
     * Alertmanager's files.
     *
     * @return its alertmanager.yml
     * @throws IOException when they cannot be written
     */
    Path writeAlertmanager() throws IOException {
        Path source = installation.root().resolve("alerting");
        Path home = Files.createDirectories(directory.home("alertmanager"));
        FileTree.mirror(source.resolve("templates"), home.resolve("templates"));
        Files.writeString(
                home.resolve("receiver.url"),
                ServerSpecs.url(ports.of(ComponentKind.RECEIVER)) + "/\n");
        return copy(source.resolve("alertmanager.yml"), home.resolve("alertmanager.yml"));
    }

    /** The files of Prometheus's file service discovery, by name. */
    private Map<String, String> targets(boolean nodeExporter) {
        return Map.of(
                "kafka-broker.yml",
                nodes(StackPorts.BROKERS, ports::exporter, id -> id),
                "kafka-controller.yml",
                nodes(ports.controllers(), ports::controllerExporter, Controller::id),
                "kafka-canary.yml",
                target(ComponentKind.CANARY),
                "prometheus.yml",
                target(ComponentKind.PROMETHEUS),
                "alertmanager.yml",
                target(ComponentKind.ALERTMANAGER),
                "node.yml",
                nodeExporter ? target(ComponentKind.NODE_EXPORTER) : "[]\n");
    }

    private static String nodes(int count, IntUnaryOperator port, IntUnaryOperator id) {
        if (count == 0) {
            return "[]\n";
        }
        return IntStream.rangeClosed(1, count)
                .mapToObj(
                        number ->
                                "%s  labels: {cluster: local, broker: \"%d\"}\n"
                                        .formatted(
                                                target(port.applyAsInt(number)),
                                                id.applyAsInt(number)))
                .collect(Collectors.joining());
    }

    private String target(ComponentKind kind) {
        return target(ports.of(kind));
    }

    private static String target(int port) {
        return "- targets: [\"127.0.0.1:" + port + "\"]\n";
    }

    // Whoever has given addresses of their own in prometheus/links.yml keeps them.
    private String withLinks(String links) {
        URI receiver = ServerSpecs.url(ports.of(ComponentKind.RECEIVER));
        URI grafana = ServerSpecs.url(ports.of(ComponentKind.GRAFANA));
        return links.replace("runbooks: \"\"", "runbooks: " + receiver + "/runbooks")
                .replace("grafana: \"\"", "grafana: " + grafana);
    }

    private static Path copy(Path from, Path to) throws IOException {
        return Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
}
