/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.measure.Scrape;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A real Alertmanager on the repository's configuration, fed by the test instead of Prometheus. */
record TestAlertmanager(ManagedProcess process, URI url) implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Http HTTP = new Http();

    /** A configuration's text, by which no group waits longer than a second for its members. */
    static String quick(String configuration) {
        return Repository.text(configuration).replaceAll("group_wait: \\d+s", "group_wait: 1s");
    }

    /**
     * Starts one and waits until it serves.
     *
     * @param home its working directory; gets the configuration and the repository's templates
     * @param configuration the text of alertmanager.yml
     * @param more further options; win over those of {@link ServerSpecs}
     */
    static TestAlertmanager start(Path home, String configuration, int port, String... more)
            throws IOException, InterruptedException {
        Files.createDirectories(home);
        Command.of("cp", "-R", Repository.path("alerting/templates"), home).output(Http.PATIENCE);
        ProcessSpec spec = ServerSpecs.alertmanager(
                TestServers.get(ServerKind.ALERTMANAGER),
                Files.writeString(home.resolve("alertmanager.yml"), configuration),
                home.resolve("data"),
                port,
                home.resolve("log"));
        List<String> command = new ArrayList<>(spec.command());
        if (more.length > 0) {
            // Otherwise it has two addresses to gossip on, which it refuses.
            command.remove("--cluster.listen-address=");
            command.addAll(List.of(more));
        }
        ManagedProcess process = ManagedProcess.start(spec.withCommand(command));
        TestServers.awaitReady(process, ServerSpecs.ready(port));
        return new TestAlertmanager(process, ServerSpecs.url(port));
    }

    /** Sends alerts as Prometheus does; each is a map of labels. */
    void fire(List<Map<String, String>> alerts) throws IOException {
        HTTP.post(
                url + "/api/v2/alerts",
                alerts.stream().map(labels -> Map.of("labels", labels)).toList());
    }

    /** Sends one alert with its texts. */
    void fire(Map<String, String> labels, Map<String, String> annotations) throws IOException {
        HTTP.post(url + "/api/v2/alerts", List.of(Map.of("labels", labels, "annotations", annotations)));
    }

    /**
     * The state of the alert with these labels: active, suppressed, unprocessed; null if unknown.
     */
    JsonNode status(Map<String, String> labels) throws IOException {
        for (JsonNode alert : HTTP.json(url + "/api/v2/alerts")) {
            if (alert.path("labels").equals(JSON.valueToTree(labels))) {
                return alert.path("status");
            }
        }
        return null;
    }

    /** The sum of the series of one of its own metrics, 0 when it is not there. */
    double metric(String name) throws IOException {
        return Scrape.of(HTTP.text(url + "/metrics")).sum(name);
    }

    @Override
    public void close() {
        process.close();
    }
}
