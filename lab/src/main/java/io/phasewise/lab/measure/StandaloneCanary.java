/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.host.Host;
import io.phasewise.lab.net.ReadinessChecks;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.process.Programs;
import io.phasewise.lab.stack.CanaryJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The canary's jar as a process of its own, as users run it, on a free port. Reading what it
 * measured is left to others.
 */
public final class StandaloneCanary implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://([0-9.]+:\\d+)/");
    private static final Duration START_BOUND = Duration.ofSeconds(90);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ManagedProcess process;
    private final String url;

    private StandaloneCanary(ManagedProcess process) throws IOException, InterruptedException {
        this.process = process;
        Await.that("the canary serves", START_BOUND)
                .every(Duration.ofMillis(50))
                .needing(process)
                .until(() -> address().isPresent(), () -> "no address in its log");
        this.url = address().orElseThrow();
    }

    /**
     * Starts it and waits until a probe completed the round trip for every broker.
     *
     * @param jar of the canary
     * @param directory for its files; each run needs one of its own
     * @param configuration written as JSON, which is YAML too; its port must be 0
     * @param jvmOptions with heap and collector; users have {@link CanaryJvm#options}
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static StandaloneCanary start(
            Path jar, Path directory, Map<String, ?> configuration, List<String> jvmOptions)
            throws IOException, InterruptedException {
        StandaloneCanary canary = launch(jar, directory, configuration, jvmOptions);
        try {
            canary.awaitReady();
            return canary;
        } catch (RuntimeException | InterruptedException silent) {
            canary.close();
            throw silent;
        }
    }

    /**
     * Starts it and waits only until it serves HTTP: while no cluster answers it never gets ready.
     *
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static StandaloneCanary launch(
            Path jar, Path directory, Map<String, ?> configuration, List<String> jvmOptions)
            throws IOException, InterruptedException {
        return launch(Programs.java(), jar, directory, configuration, jvmOptions, Host.THIS);
    }

    /**
     * The same on another host, at whose address it is configured to serve.
     *
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static StandaloneCanary launch(
            Path jar, Path directory, Map<String, ?> configuration, List<String> jvmOptions, Host host)
            throws IOException, InterruptedException {
        return launch(Programs.java(), jar, directory, configuration, jvmOptions, host);
    }

    /**
     * The same on another Java.
     *
     * @param java the program itself
     * @throws IOException when it cannot be started
     * @throws InterruptedException when interrupted; nothing is left running
     */
    public static StandaloneCanary launch(
            String java, Path jar, Path directory, Map<String, ?> configuration, List<String> jvmOptions)
            throws IOException, InterruptedException {
        return launch(java, jar, directory, configuration, jvmOptions, Host.THIS);
    }

    private static StandaloneCanary launch(
            String java, Path jar, Path directory, Map<String, ?> configuration, List<String> jvmOptions, Host host)
            throws IOException, InterruptedException {
        Path file = Files.createDirectories(directory).resolve("canary.yml");
        new ObjectMapper().writeValue(file.toFile(), configuration);
        List<String> command = host.command(Programs.jar(java, jvmOptions, jar, List.of("--config", file.toString())));
        Path log = directory.resolve("canary.log");
        ManagedProcess process = ManagedProcess.start(new ProcessSpec("canary", command, Map.of(), directory, log));
        try {
            return new StandaloneCanary(process);
        } catch (RuntimeException | IOException | InterruptedException silent) {
            process.close();
            throw silent;
        }
    }

    private Optional<String> address() throws IOException {
        if (!Files.exists(process.log())) {
            return Optional.empty();
        }
        Matcher matcher = ADDRESS.matcher(Files.readString(process.log()));
        return matcher.find() ? Optional.of("http://" + matcher.group(1)) : Optional.empty();
    }

    /** Waits until every broker's probes come back. */
    public void awaitReady() throws InterruptedException {
        awaitReady(START_BOUND);
    }

    /** The same with a bound of one's own, for a canary with many clusters. */
    public void awaitReady(Duration bound) throws InterruptedException {
        Await.that("the canary is ready", bound)
                .every(Duration.ofMillis(100))
                .needing(process)
                .until(ReadinessChecks.answers(client, URI.create(url + "/-/ready")));
    }

    /** The address of its HTTP server, without a path. */
    public String url() {
        return url;
    }

    /** The process itself. */
    public ManagedProcess process() {
        return process;
    }

    @Override
    public void close() {
        process.close();
    }
}
