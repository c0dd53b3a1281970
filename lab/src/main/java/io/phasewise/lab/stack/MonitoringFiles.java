/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import io.phasewise.lab.kafka.ClusterSettings.Controller;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Lays out the configuration of Prometheus and Alertmanager in the state directory: the
 * repository's files as they are, and beside them the few that say where things are reached here;
 * checked by the servers' own tools before anything is started.
 */
final class MonitoringFiles {

    private static final long CHECK_SECONDS = 30;

    private final Installation installation;
    private final StateDirectory directory;
    private final StackPorts ports;

    MonitoringFiles(Installation installation, StateDirectory directory, StackPorts ports) {
        this.installation = installation;
        this.directory = directory;
        this.ports = ports;
    }

    /**
     * Prometheus's files.
     *
     * @param promtool checks them
     * @param nativeHistograms whether this Prometheus has them, or reads classic ones
     * @param nodeExporter whether the host's exporter runs already; {@link #writeNodeTarget} says
     *     so of one that starts later
     * @return its prometheus.yml
     * @throws LaunchException when they cannot be written, or are refused; the message holds what
     *     the tool said
     */
    Path writePrometheus(Path promtool, boolean nativeHistograms, boolean nodeExporter)
            throws LaunchException, InterruptedException {
        Path source = installation.prometheus();
        Path home = directory.home("prometheus");
        Path configuration = home.resolve("prometheus.yml");
        try {
            Files.createDirectories(home.resolve("targets"));
            copy(
                    source.resolve(nativeHistograms ? "prometheus.yml" : "prometheus-classic.yml"),
                    configuration);
            copyAll(source.resolve("rules"), home.resolve("rules"));
            Files.writeString(
                    home.resolve("links.yml"),
                    withLinks(Files.readString(source.resolve("links.yml"))));
            for (Map.Entry<String, String> target : targets(nodeExporter).entrySet()) {
                Files.writeString(
                        home.resolve("targets").resolve(target.getKey()), target.getValue());
            }
        } catch (IOException unwritable) {
            throw LaunchException.failed("cannot lay out " + home + ": " + unwritable, unwritable);
        }
        check(
                "prometheus",
                List.of(promtool.toString(), "check", "config", configuration.toString()),
                home);
        return configuration;
    }

    /**
     * Has a Prometheus that runs scrape the host's exporter: it reads its targets again when they
     * change.
     *
     * @throws LaunchException when it cannot be written
     */
    void writeNodeTarget() throws LaunchException {
        Path targets = directory.home("prometheus").resolve("targets");
        try {
            Files.createDirectories(targets);
            Files.writeString(targets.resolve("node.yml"), target(ports.nodeExporter()));
        } catch (IOException unwritable) {
            throw LaunchException.failed(
                    "cannot write to " + targets + ": " + unwritable, unwritable);
        }
    }

    /**
     * Alertmanager's files.
     *
     * @param amtool checks them
     * @return its alertmanager.yml
     * @throws LaunchException when they cannot be written, or are refused; the message holds what
     *     the tool said
     */
    Path writeAlertmanager(Path amtool) throws LaunchException, InterruptedException {
        Path source = installation.alerting();
        Path home = directory.home("alertmanager");
        Path configuration = home.resolve("alertmanager.yml");
        try {
            Files.createDirectories(home);
            copy(source.resolve("alertmanager.yml"), configuration);
            copyAll(source.resolve("templates"), home.resolve("templates"));
            Files.writeString(
                    home.resolve("receiver.url"), "http://127.0.0.1:" + ports.receiver() + "/\n");
        } catch (IOException unwritable) {
            throw LaunchException.failed("cannot lay out " + home + ": " + unwritable, unwritable);
        }
        check(
                "alertmanager",
                List.of(amtool.toString(), "check-config", configuration.toString()),
                home);
        return configuration;
    }

    /** The files of Prometheus's file service discovery, by name; a pure function of the ports. */
    Map<String, String> targets(boolean nodeExporter) {
        Map<String, String> targets = new LinkedHashMap<>();
        StringBuilder brokers = new StringBuilder();
        for (int id = 1; id <= StackPorts.BROKERS; id++) {
            brokers.append(target(ports.exporter(id), id));
        }
        StringBuilder controllers = new StringBuilder(ports.controllers() == 0 ? "[]\n" : "");
        for (int id = 1; id <= ports.controllers(); id++) {
            controllers.append(target(ports.controllerExporter(id), Controller.id(id)));
        }
        targets.put("kafka-broker.yml", brokers.toString());
        targets.put("kafka-controller.yml", controllers.toString());
        targets.put("kafka-canary.yml", target(ports.canary()));
        targets.put("prometheus.yml", target(ports.prometheus()));
        targets.put("alertmanager.yml", target(ports.alertmanager()));
        targets.put("node.yml", nodeExporter ? target(ports.nodeExporter()) : "[]\n");
        return targets;
    }

    // Whoever has given addresses of their own in prometheus/links.yml keeps them.
    private String withLinks(String links) {
        return links.replace(
                        "runbooks: \"\"",
                        "runbooks: " + ServerSpecs.url(ports.receiver()) + "/runbooks")
                .replace("grafana: \"\"", "grafana: " + ServerSpecs.url(ports.grafana()));
    }

    private static String target(int port, int node) {
        return target(port) + "  labels: {cluster: local, broker: \"" + node + "\"}\n";
    }

    private static String target(int port) {
        return "- targets: [\"127.0.0.1:" + port + "\"]\n";
    }

    // What the repository does not hold any more must not live on in the copy.
    private static void copyAll(Path from, Path to) throws IOException {
        if (Files.isDirectory(to)) {
            try (Stream<Path> old = Files.walk(to)) {
                for (Path file : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        if (!Files.isDirectory(from)) {
            return;
        }
        try (Stream<Path> files = Files.walk(from, FileVisitOption.FOLLOW_LINKS)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    copy(file, copy);
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void check(String component, List<String> command, Path home)
            throws LaunchException, InterruptedException {
        Path output = home.resolve("check.out");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(home.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            try {
                boolean ended = process.waitFor(CHECK_SECONDS, TimeUnit.SECONDS);
                if (!ended || process.exitValue() != 0) {
                    List<String> shown = new ArrayList<>(command);
                    shown.set(0, String.valueOf(Path.of(command.get(0)).getFileName()));
                    throw LaunchException.failed(
                            component
                                    + ": "
                                    + String.join(" ", shown)
                                    + (ended ? " refuses it:\n" : " does not end:\n")
                                    + text(output));
                }
            } finally {
                process.destroyForcibly();
            }
            Files.delete(output);
        } catch (IOException unusable) {
            throw LaunchException.failed(
                    component + ": cannot run " + command.get(0) + ": " + unusable, unusable);
        }
    }

    private static String text(Path output) throws IOException {
        try (InputStream stream = Files.newInputStream(output)) {
            return new String(stream.readNBytes(16 * 1024), StandardCharsets.UTF_8).strip();
        }
    }
}
