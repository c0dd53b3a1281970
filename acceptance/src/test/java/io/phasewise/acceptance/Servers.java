/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The servers that the repository pins, for tests that run them or their tools. */
final class Servers {
    private Servers() {}

    /** Finds or builds one; fails the test with what is missing. */
    static ServerInstallation get(ServerKind kind) throws InterruptedException {
        return ServerProvider.forUser(Repository.ROOT, System.getenv())
                .findOrBuild(kind, line -> {});
    }

    /**
     * Starts a Prometheus and waits until it serves.
     *
     * @param home gets its configuration, data and log
     * @param more options after those of {@link ServerSpecs}
     */
    static ManagedProcess prometheus(Path home, String configuration, int port, String... more)
            throws IOException, InterruptedException {
        Files.createDirectories(home);
        return start(
                ServerSpecs.prometheus(
                        get(ServerKind.PROMETHEUS),
                        Files.writeString(home.resolve("prometheus.yml"), configuration),
                        home.resolve("data"),
                        port,
                        home.resolve("log")),
                ServerSpecs.ready(port),
                more);
    }

    /**
     * Starts a server and waits until it serves.
     *
     * @param more options after those of the specification
     */
    static ManagedProcess start(ProcessSpec spec, URI ready, String... more) throws IOException {
        List<String> command = new ArrayList<>(spec.command());
        command.addAll(List.of(more));
        ManagedProcess process =
                ManagedProcess.start(
                        new ProcessSpec(
                                spec.name(),
                                command,
                                spec.environment(),
                                spec.directory(),
                                spec.log()));
        Http http = new Http();
        patiently()
                .until(
                        () -> {
                            assertThat(process.isAlive())
                                    .as(String.join("\n", process.tail(20)))
                                    .isTrue();
                            return http.statusCode(ready.toString()) == 200;
                        });
        return process;
    }
}
