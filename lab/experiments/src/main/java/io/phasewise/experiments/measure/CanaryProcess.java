/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The canary's jar as a process of its own, as users run it; says what it measured. Nothing of its
 * code is called: figures are what it exports and logs.
 *
 * <p>Single probes come from its log. A canary logs probes that miss the objective's target; with
 * the smallest target and the greatest number of lines there are, these are all (up to 6,000 a
 * minute), each with its five phases to the microsecond.
 */
public final class CanaryProcess implements AutoCloseable {
    /** The name of the cluster in the canary's configuration. */
    public static final String CLUSTER = "lab";

    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)/");
    private static final Duration START_BOUND = Duration.ofSeconds(90);

    private final HttpPages pages = new HttpPages();
    private final ManagedProcess process;
    private final String base;

    private CanaryProcess(ManagedProcess process) throws IOException, InterruptedException {
        this.process = process;
        Await.that("the canary serves", START_BOUND)
                .every(Duration.ofMillis(50))
                .needing(process)
                .until(
                        () ->
                                address(process).isPresent()
                                        ? Optional.empty()
                                        : Optional.of("no address in its log"));
        this.base = address(process).orElseThrow();
    }

    /**
     * Starts it and waits until a probe went all the way round for every broker.
     *
     * @param jar the canary's
     * @param directory for its files; a fresh one
     * @param cluster its configuration below the cluster
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static CanaryProcess start(Path jar, Path directory, Map<String, Object> cluster)
            throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path configuration = directory.resolve("canary.yml");
        new ObjectMapper()
                .writeValue(
                        configuration.toFile(),
                        Map.of(
                                "canary",
                                Map.of(
                                        "http",
                                        Map.of("port", 0),
                                        "clusters",
                                        Map.of(CLUSTER, cluster))));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(CanaryJvm.options(Runtime.version().feature()));
        command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-jar", jar.toString(), "--config"));
        command.add(configuration.toString());
        ManagedProcess process =
                ManagedProcess.start(
                        new ProcessSpec(
                                "canary",
                                command,
                                Map.of(),
                                directory,
                                directory.resolve("canary.log")));
        boolean up = false;
        try {
            CanaryProcess canary = new CanaryProcess(process);
            canary.awaitReady();
            up = true;
            return canary;
        } finally {
            if (!up) {
                process.close();
            }
        }
    }

    /**
     * A configuration below the cluster.
     *
     * @param settings win over what is needed here, key by key
     */
    public static Map<String, Object> configuration(
            String bootstrap, double rate, Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("bootstrap-servers", bootstrap);
        all.put("probe", Map.of("rate", rate));
        all.put("slo", Map.of("target", "100us"));
        all.put("slow-probes", Map.of("log-per-minute", 6_000));
        settings.forEach((key, value) -> all.merge(key, value, CanaryProcess::merged));
        return all;
    }

    private static Object merged(Object mine, Object given) {
        if (mine instanceof Map<?, ?> below && given instanceof Map<?, ?> above) {
            Map<Object, Object> both = new HashMap<>(below);
            above.forEach((key, value) -> both.merge(key, value, CanaryProcess::merged));
            return both;
        }
        return given;
    }

    private static Optional<String> address(ManagedProcess process) throws IOException {
        if (!Files.exists(process.log())) {
            return Optional.empty();
        }
        Matcher matcher = ADDRESS.matcher(Files.readString(process.log()));
        return matcher.find()
                ? Optional.of("http://127.0.0.1:" + matcher.group(1))
                : Optional.empty();
    }

    /** Waits until every broker's probes come back. */
    public void awaitReady() throws InterruptedException {
        Await.that("the canary is ready", START_BOUND)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(
                        () -> {
                            HttpResponse<String> answer = pages.get(base + "/-/ready");
                            return answer.statusCode() == 200
                                    ? Optional.empty()
                                    : Optional.of(answer.body());
                        });
    }

    /** Its series now. */
    public Scrape scrape() throws IOException, InterruptedException {
        return pages.scrape(base + "/metrics");
    }

    /** What it says of the cluster at /status. */
    public JsonNode status() throws IOException, InterruptedException {
        return new ObjectMapper()
                .readTree(pages.get(base + "/status").body())
                .path("clusters")
                .path(0);
    }

    /** Where it serves, without a path. */
    public String url() {
        return base;
    }

    /** The process itself. */
    public ManagedProcess process() {
        return process;
    }

    /**
     * The probes that were due within a stretch of time and came back by now, in the order of their
     * return.
     *
     * @throws IOException when the log cannot be read
     */
    public List<ProbeRecord> probes(Instant from, Instant to) throws IOException {
        List<ProbeRecord> probes = new ArrayList<>();
        try (BufferedReader log = Files.newBufferedReader(process.log())) {
            for (String line; (line = log.readLine()) != null; ) {
                ProbeRecord.read(line)
                        .filter(p -> !p.due().isBefore(from) && p.due().isBefore(to))
                        .ifPresent(probes::add);
            }
        }
        return probes;
    }

    @Override
    public void close() {
        process.close();
    }
}
