/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.net.Probes;
import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
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

/**
 * A Prometheus of its own.
 *
 * @param ports its own first
 */
record TestPrometheus(ManagedProcess process, PortLease ports) implements AutoCloseable {

    /**
     * Starts one that can be written to.
     *
     * @param home for its files, among them those that flags name
     * @param flags beside those of the stack
     */
    static TestPrometheus start(Path home, String... flags)
            throws IOException, InterruptedException {
        PortLease ports = PortLease.take(2);
        ProcessSpec spec =
                ServerSpecs.prometheus(
                        ServerProvider.forUser(Launched.ROOT, System.getenv())
                                .findOrBuild(ServerKind.PROMETHEUS, line -> {}),
                        Files.writeString(home.resolve("prometheus.yml"), "global: {}\n"),
                        home.resolve("data"),
                        ports.port(0),
                        home.resolve("log"));
        List<String> command = new ArrayList<>(spec.command());
        command.addAll(List.of(flags));
        command.add("--web.enable-remote-write-receiver");
        ProcessSpec more =
                new ProcessSpec(
                        spec.name(), command, spec.environment(), spec.directory(), spec.log());
        return new TestPrometheus(ManagedProcess.start(more), ports);
    }

    /** Waits until one that is not locked serves. */
    TestPrometheus awaitReady() throws InterruptedException {
        Await.that("Prometheus serves", Duration.ofSeconds(60))
                .needing(process)
                .until(
                        Probes.answers(
                                HttpClient.newHttpClient(), ServerSpecs.ready(ports.port(0))));
        return this;
    }

    /** Where it is, when it is not behind TLS. */
    URI url() {
        return ServerSpecs.url(ports.port(0));
    }

    @Override
    public void close() {
        process.close();
        ports.close();
    }
}
