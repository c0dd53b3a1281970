/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
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
    static TestPrometheus start(Path home, String... flags) throws IOException, InterruptedException {
        PortLease ports = PortLease.take(2);
        List<String> all = new ArrayList<>(List.of(flags));
        all.add("--web.enable-remote-write-receiver");
        ProcessSpec spec = TestServers.prometheus(home, "global: {}\n", ports.port(0), all.toArray(String[]::new));
        return new TestPrometheus(ManagedProcess.start(spec), ports);
    }

    /** Waits until one that is not locked serves. */
    TestPrometheus awaitReady() throws InterruptedException {
        TestServers.awaitReady(process, ServerSpecs.ready(ports.port(0)));
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
