/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.measure.StandaloneCanary;
import io.phasewise.lab.process.ManagedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The canary's jar as a child process, on a free port, for tests; what it measures is the test's
 * business.
 */
final class CanaryProcess implements AutoCloseable {
    static final Path JAR =
            Path.of(System.getProperty("phasewise.root"), "canary/target/phasewise-canary.jar");

    /** As the brokers of the tests: compiled quickly, not well. */
    private static final List<String> QUICK =
            List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final StandaloneCanary canary;
    private final CanaryPages pages;

    /**
     * Starts it and waits until it serves.
     *
     * @param directory for its configuration and log
     * @param clusters the configuration below canary.clusters
     */
    CanaryProcess(Path directory, Map<String, ?> clusters) throws IOException {
        this(directory, clusters, List.of("-Xmx128m"));
    }

    /**
     * As {@link #CanaryProcess(Path, Map)}, with other options for its JVM.
     *
     * @param jvmOptions the heap among them
     */
    CanaryProcess(Path directory, Map<String, ?> clusters, List<String> jvmOptions)
            throws IOException {
        this(directory, clusters, Map.of(), jvmOptions);
    }

    /**
     * As {@link #CanaryProcess(Path, Map, List)}, with traces.
     *
     * @param traces the configuration below canary.traces
     */
    CanaryProcess(
            Path directory, Map<String, ?> clusters, Map<String, ?> traces, List<String> jvmOptions)
            throws IOException {
        List<String> options = new ArrayList<>(QUICK);
        options.addAll(jvmOptions);
        try {
            canary =
                    StandaloneCanary.launch(
                            JAR,
                            directory,
                            Map.of(
                                    "canary",
                                    Map.of(
                                            "http",
                                            Map.of("port", 0),
                                            "clusters",
                                            clusters,
                                            "traces",
                                            traces)),
                            options);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        pages = new CanaryPages(canary.url());
    }

    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(QUICK);
        command.addAll(List.of(arguments));
        return command;
    }

    String log() {
        try {
            return Files.readString(process().log());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ManagedProcess process() {
        return canary.process();
    }

    /** Where it serves. */
    String url() {
        return pages.url();
    }

    JsonNode status() {
        return pages.status();
    }

    JsonNode cluster(String name) {
        return pages.cluster(name);
    }

    boolean ready() {
        return pages.ready();
    }

    String readiness() {
        return pages.readiness();
    }

    Scrape scrape() {
        return pages.scrape();
    }

    Scrape awaitProbes(Scrape since, int each, List<String> of, int... leaders) {
        return pages.awaitProbes(since, each, of, leaders);
    }

    byte[] scrapeProtobuf() {
        return pages.scrapeProtobuf();
    }

    @Override
    public void close() {
        canary.close();
    }
}
