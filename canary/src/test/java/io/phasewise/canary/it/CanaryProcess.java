/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.it;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The canary's jar as a child process, on a free port, for tests; what it measures is the test's
 * business.
 */
final class CanaryProcess implements AutoCloseable {
    static final Path JAR =
            Path.of(System.getProperty("phasewise.root"), "canary/target/phasewise-canary.jar");
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/");

    private final ObjectMapper json = new ObjectMapper();
    private final ManagedProcess process;
    private final Path log;
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
        Path config = directory.resolve("canary.yml");
        log = directory.resolve("canary.log");
        // JSON is YAML, and quotes whatever a password may hold.
        json.writeValue(
                config.toFile(),
                Map.of(
                        "canary",
                        Map.of("http", Map.of("port", 0), "clusters", clusters, "traces", traces)));
        List<String> arguments = new ArrayList<>(jvmOptions);
        arguments.addAll(List.of("-jar", JAR.toString(), "--config", config.toString()));
        process =
                ManagedProcess.start(
                        new ProcessSpec(
                                "canary",
                                command(arguments.toArray(String[]::new)),
                                Map.of(),
                                directory,
                                log));
        await("canary serves").atMost(Duration.ofSeconds(60)).until(() -> address() != null);
        pages = new CanaryPages(address());
    }

    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // As the brokers of the tests: compiled quickly, not well.
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.addAll(List.of(arguments));
        return command;
    }

    private String address() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the canary ended:\n" + log());
        }
        Matcher matcher = ADDRESS.matcher(log());
        return matcher.find() ? "http://127.0.0.1:" + matcher.group(1) : null;
    }

    String log() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ManagedProcess process() {
        return process;
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
        process.close();
    }
}
