/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import io.phasewise.lab.net.Probes;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A Prometheus of its own, on a port of the caller's. */
final class TestPrometheus {

    private TestPrometheus() {}

    /**
     * Starts it.
     *
     * @param configuration text of its prometheus.yml
     * @param flags beside those of the stack
     */
    static ManagedProcess start(
            Path root, Path home, int port, String configuration, List<String> flags)
            throws IOException, InterruptedException {
        ProcessSpec spec =
                ServerSpecs.prometheus(
                        ServerProvider.forUser(root, System.getenv())
                                .findOrBuild(ServerKind.PROMETHEUS, line -> {}),
                        Files.writeString(home.resolve("prometheus.yml"), configuration),
                        home.resolve("data"),
                        port,
                        home.resolve("log"));
        List<String> command = new ArrayList<>(spec.command());
        command.addAll(flags);
        return ManagedProcess.start(
                new ProcessSpec(
                        spec.name(), command, spec.environment(), spec.directory(), spec.log()));
    }

    /** Waits until one that is not locked serves. */
    static void awaitReady(ManagedProcess prometheus, int port) throws InterruptedException {
        Await.that("Prometheus serves", Duration.ofSeconds(60))
                .needing(prometheus)
                .until(Probes.answers(HttpClient.newHttpClient(), ServerSpecs.ready(port)));
    }
}
