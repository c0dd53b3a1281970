/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessSpec;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A real Alertmanager on the repository's configuration, fed by the test instead of Prometheus. */
final class TestAlertmanager implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client = HttpClient.newHttpClient();
    private final ManagedProcess process;
    private final URI url;

    private TestAlertmanager(ManagedProcess process, URI url) {
        this.process = process;
        this.url = url;
    }

    /** A configuration's text, by which no group waits longer than a second for its members. */
    static String quick(Path configuration) throws IOException {
        return Files.readString(configuration).replaceAll("group_wait: \\d+s", "group_wait: 1s");
    }

    /**
     * Starts one and waits until it serves.
     *
     * @param home its working directory; gets the configuration and the repository's templates
     * @param configuration the text of alertmanager.yml
     * @param more further options; win over those of {@link ServerSpecs}
     */
    static TestAlertmanager start(
            ServerInstallation installation,
            Path home,
            Path templates,
            String configuration,
            int port,
            String... more)
            throws IOException {
        Files.createDirectories(home.resolve("templates"));
        try (Stream<Path> files = Files.list(templates)) {
            for (Path file : files.toList()) {
                Files.copy(file, home.resolve("templates").resolve(file.getFileName()));
            }
        }
        Path file = Files.writeString(home.resolve("alertmanager.yml"), configuration);
        ProcessSpec spec =
                ServerSpecs.alertmanager(
                        installation, file, home.resolve("data"), port, home.resolve("log"));
        List<String> command = new ArrayList<>(spec.command());
        if (more.length > 0) {
            // Else it is told twice where to gossip, which it refuses.
            command.remove("--cluster.listen-address=");
        }
        ManagedProcess process =
                Servers.start(
                        new ProcessSpec(
                                spec.name(),
                                command,
                                spec.environment(),
                                spec.directory(),
                                spec.log()),
                        ServerSpecs.ready(port),
                        more);
        return new TestAlertmanager(process, ServerSpecs.url(port));
    }

    /** Sends alerts as Prometheus does; each is a map of labels. */
    void fire(List<Map<String, String>> alerts) throws IOException {
        List<Object> body = new ArrayList<>();
        for (Map<String, String> labels : alerts) {
            body.add(Map.of("labels", labels));
        }
        post("/api/v2/alerts", body);
    }

    /** Sends one alert with its texts. */
    void fire(Map<String, String> labels, Map<String, String> annotations) throws IOException {
        post("/api/v2/alerts", List.of(Map.of("labels", labels, "annotations", annotations)));
    }

    /**
     * The state of the alert with these labels: active, suppressed, unprocessed; null if unknown.
     */
    JsonNode status(Map<String, String> labels) throws IOException {
        for (JsonNode alert : new Http().json(url + "/api/v2/alerts")) {
            if (alert.path("labels").equals(JSON.valueToTree(labels))) {
                return alert.path("status");
            }
        }
        return null;
    }

    /** The body of the answer. */
    JsonNode post(String path, Object body) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + path))
                        .timeout(Duration.ofSeconds(10))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body)))
                        .build();
        try {
            HttpResponse<String> response =
                    client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            return JSON.readTree(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    /** The value of one series of its own metrics, 0 when it is not there. */
    double metric(String series) throws IOException {
        return new Http()
                .text(url + "/metrics")
                .lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length())))
                .sum();
    }

    URI url() {
        return url;
    }

    @Override
    public void close() {
        process.close();
    }
}
