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
 * Writes the files that Prometheus and Alertmanager read: copies of the repository's files, and the
 * few files with addresses.
 */
public final class MonitoringFiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

    private final Path root;
    private final Path prometheus;
    private final Path alertmanager;

    /**
     * @param root of the repository
     * @param home directory in which each of the two gets one of its own
     */
    public MonitoringFiles(Path root, Path home) {
        this.root = root;
        this.prometheus = home.resolve("prometheus");
        this.alertmanager = home.resolve("alertmanager");
    }

    /**
     * Targets of Prometheus, in the form of its file service discovery.
     *
     * @param targets hosts with ports
     * @param labels that all their series get
     */
    public record Target(List<String> targets, Map<String, String> labels) {
        /** A target on the loopback. */
        public Target(int port, Map<String, String> labels) {
            this(List.of("127.0.0.1:" + port), labels);
        }
    }

    /**
     * Writes Prometheus's files, except its targets.
     *
     * @param nativeHistograms whether this Prometheus has native histograms; otherwise it reads
     *     classic ones
     * @return the path of its prometheus.yml
     * @throws IOException when they cannot be written
     */
    public Path writePrometheus(boolean nativeHistograms) throws IOException {
        Path source = root.resolve("prometheus");
        String configuration = nativeHistograms ? "prometheus.yml" : "prometheus-classic.yml";
        FileTree.mirror(source.resolve("rules"), prometheus.resolve("rules"));
        return copy(source.resolve(configuration), prometheus.resolve("prometheus.yml"));
    }

    /**
     * Writes the addresses for links of alerts. Addresses in the repository's links.yml are kept.
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
     * Writes the targets of a job of Prometheus, which reads the file again when it changes.
     *
     * @param file name of the file in the configuration, without its ending
     * @throws IOException when it cannot be written
     */
    public void writeTargets(String file, List<Target> targets) throws IOException {
        Path directory = Files.createDirectories(prometheus.resolve("targets"));
        // JSON is YAML, too.
        FileTree.replace(directory.resolve(file + ".yml"), JSON.writeValueAsString(targets));
    }

    /**
     * Writes Alertmanager's files.
     *
     * @param receiver address that it notifies
     * @return the path of its alertmanager.yml
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
