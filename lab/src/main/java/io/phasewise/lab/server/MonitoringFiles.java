/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.phasewise.lab.file.FileTree;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * Lays out what Prometheus and Alertmanager read: the repository's files as they are, and beside
 * them the few that say where things are reached. What is reached is left to the caller.
 */
public final class MonitoringFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private final Path root;
    private final Path prometheus;
    private final Path alertmanager;

    /**
     * @param root the repository's
     * @param home gets a directory for each of the two
     */
    public MonitoringFiles(Path root, Path home) {
        this.root = root;
        this.prometheus = home.resolve("prometheus");
        this.alertmanager = home.resolve("alertmanager");
    }

    /**
     * What Prometheus scrapes, as its file service discovery has it.
     *
     * @param targets hosts with ports
     * @param labels that all series from there get
     */
    public record Target(List<String> targets, Map<String, String> labels) {
        /** On the loopback. */
        public Target(int port, Map<String, String> labels) {
            this(List.of("127.0.0.1:" + port), labels);
        }
    }

    /**
     * Prometheus's files but for its targets.
     *
     * @param nativeHistograms whether this Prometheus has them, or reads classic ones
     * @return its prometheus.yml
     * @throws IOException when they cannot be written
     */
    public Path writePrometheus(boolean nativeHistograms) throws IOException {
        Path source = root.resolve("prometheus");
        String configuration = nativeHistograms ? "prometheus.yml" : "prometheus-classic.yml";
        FileTree.mirror(source.resolve("rules"), prometheus.resolve("rules"));
        return copy(source.resolve(configuration), prometheus.resolve("prometheus.yml"));
    }

    /**
     * Says where links of alerts lead. Whoever has given addresses of their own in the repository's
     * links.yml keeps them.
     *
     * @throws IOException when it cannot be written
     */
    public void writeLinks(URI receiver, URI grafana) throws IOException {
        String links = Files.readString(root.resolve("prometheus/links.yml"))
                .replace("runbooks: \"\"", "runbooks: " + receiver + "/runbooks")
                .replace("grafana: \"\"", "grafana: " + grafana);
        Files.writeString(prometheus.resolve("links.yml"), links);
    }

    /**
     * Says what a job of Prometheus scrapes. One that runs reads it again when it changes.
     *
     * @param file its name in the configuration, without an ending
     * @throws IOException when it cannot be written
     */
    public void writeTargets(String file, List<Target> targets) throws IOException {
        Path directory = Files.createDirectories(prometheus.resolve("targets"));
        // JSON is YAML, too.
        FileTree.replace(directory.resolve(file + ".yml"), JSON.writeValueAsString(targets));
    }

    /**
     * Alertmanager's files.
     *
     * @param receiver whom it notifies
     * @return its alertmanager.yml
     * @throws IOException when they cannot be written
     */
    public Path writeAlertmanager(URI receiver) throws IOException {
        Path source = root.resolve("alerting");
        Files.createDirectories(alertmanager);
        FileTree.mirror(source.resolve("templates"), alertmanager.resolve("templates"));
        Files.writeString(alertmanager.resolve("receiver.url"), receiver + "/\n");
        return copy(source.resolve("alertmanager.yml"), alertmanager.resolve("alertmanager.yml"));
    }

    private static Path copy(Path from, Path to) throws IOException {
        return Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
}
