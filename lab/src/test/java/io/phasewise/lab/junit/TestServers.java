/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.junit;

import io.phasewise.lab.net.ReadinessChecks;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The servers that the repository pins, for tests that run them or their tools. */
public final class TestServers {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private TestServers() {}

    /** Finds or builds one; fails the test with what is missing. */
    public static ServerInstallation get(ServerKind kind) throws InterruptedException {
        return ServerProvider.forUser(Path.of(System.getProperty("phasewise.root")), System.getenv())
                .findOrBuild(kind, line -> {});
    }

    /**
     * Starts a Prometheus and waits until it serves.
     *
     * @param home gets its configuration, data and log
     * @param more options after those of {@link ServerSpecs}
     */
    public static ManagedProcess startPrometheus(Path home, String configuration, int port, String... more)
            throws IOException, InterruptedException {
        return awaitReady(ManagedProcess.start(prometheus(home, configuration, port, more)), ServerSpecs.ready(port));
    }

    /**
     * How to run a Prometheus; for one that does not answer everybody, so that nobody can wait for it.
     *
     * @param home gets its configuration, data and log
     * @param more options after those of {@link ServerSpecs}
     */
    public static ProcessSpec prometheus(Path home, String configuration, int port, String... more)
            throws IOException, InterruptedException {
        Files.createDirectories(home);
        ProcessSpec spec = ServerSpecs.prometheus(
                get(ServerKind.PROMETHEUS),
                Files.writeString(home.resolve("prometheus.yml"), configuration),
                home.resolve("data"),
                port,
                home.resolve("log"));
        List<String> command = new ArrayList<>(spec.command());
        command.addAll(List.of(more));
        return spec.withCommand(command);
    }

    /**
     * Waits until a server serves; ends one that does not.
     *
     * @param ready answers with status 200 when it does
     */
    public static ManagedProcess awaitReady(ManagedProcess server, URI ready) throws InterruptedException {
        try {
            Await.that(ready + " answers", PATIENCE)
                    .needing(server)
                    .until(ReadinessChecks.answers(HttpClient.newHttpClient(), ready));
        } catch (RuntimeException | InterruptedException notReady) {
            server.close();
            throw notReady;
        }
        return server;
    }
}
