/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.phasewise.lab.net.PortLease;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.receiver.Notification;
import io.phasewise.lab.receiver.ReceiverServer;
import io.phasewise.lab.server.PrometheusClient;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerSpecs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a page takes on its way through the real Prometheus, the real Alertmanager and the
 * repository's configuration of both, when from one instant every probe is bad. The canary's
 * counters are played; that brokers which hang make its probes bad is left to the canary's tests.
 */
class PageIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final Path root = Path.of(System.getProperty("phasewise.root"));
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Notification> told = new CopyOnWriteArrayList<>();
    private final Instant start = Instant.now();
    private volatile Instant fault = Instant.MAX;

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void whenEveryProbeIsBadThePageArrivesWithinAMinute(@TempDir Path directory) throws Exception {
        HttpServer canary =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        canary.createContext(
                "/metrics",
                exchange -> {
                    byte[] metrics = metrics(Instant.now()).getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders()
                            .set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
                    exchange.sendResponseHeaders(200, metrics.length);
                    exchange.getResponseBody().write(metrics);
                    exchange.close();
                });
        canary.start();
        open.add(() -> canary.stop(0));
        PortLease ports = PortLease.take(2);
        open.add(ports);
        startAlertmanager(directory.resolve("alertmanager"), ports.port(0));
        PrometheusClient prometheus =
                startPrometheus(
                        directory.resolve("prometheus"),
                        ports.port(1),
                        canary.getAddress().getPort(),
                        ports.port(0));
        // The window of the alert is full of good probes.
        await().atMost(PATIENCE)
                .until(
                        () ->
                                prometheus
                                        .query(
                                                "count_over_time(kafka_canary_slo_probes_total{verdict=\"good\"}[30s])"
                                                    + " >= 6")
                                        .size(),
                        size -> size == 1);

        fault = Instant.now();

        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> !pages().isEmpty());
        Notification page = pages().get(0);
        Notification.Alert alert = page.alerts().get(0);
        JsonNode active =
                new Http()
                        .json(ServerSpecs.url(ports.port(1)) + "/api/v1/alerts")
                        .at("/data/alerts");
        Instant held = null;
        for (JsonNode each : active) {
            if (each.at("/labels/alertname").asText().equals("MostProbesBad")) {
                held = Instant.parse(each.path("activeAt").asText());
            }
        }
        System.out.printf(
                Locale.ROOT,
                "every probe bad: condition after %.1f s, alert after %.1f s, page after %.1f s%n",
                seconds(held),
                seconds(Instant.parse(alert.startsAt())),
                seconds(page.receivedAt()));
        assertThat(page.receiver()).isEqualTo("pager");
        assertThat(alert.labels())
                .containsEntry("alertname", "MostProbesBad")
                .containsEntry("cluster", "played");
        assertThat(alert.annotations().get("description"))
                .contains("not delivered within 50ms")
                .contains("Next step: ", "phase               now    baseline  share")
                .doesNotContain("error");
    }

    private double seconds(Instant at) {
        return Duration.between(fault, at).toMillis() / 1000.0;
    }

    private List<Notification> pages() {
        return told.stream()
                .filter(
                        notification ->
                                notification.alerts().stream()
                                        .anyMatch(
                                                alert ->
                                                        alert.label("alertname")
                                                                .equals("MostProbesBad")))
                .toList();
    }

    /** 60 probes a second, good until the fault, bad from then on. */
    private String metrics(Instant now) {
        Instant turn = fault.isBefore(now) ? fault : now;
        String labels = "{cluster=\"played\",profile=\"default\",leader=\"1\",verdict=\"";
        String of = "{cluster=\"played\",profile=\"default\"} ";
        return "# TYPE kafka_canary_slo_probes_total counter\n"
                + probes(labels + "good\"} ", start, turn)
                + probes(labels + "bad\"} ", turn, now)
                + "# TYPE kafka_canary_slo_target_seconds gauge\n"
                + "kafka_canary_slo_target_seconds"
                + of
                + "0.05\n"
                + "# TYPE kafka_canary_slo_objective_ratio gauge\n"
                + "kafka_canary_slo_objective_ratio"
                + of
                + "0.99\n";
    }

    private static String probes(String labels, Instant from, Instant to) {
        return "kafka_canary_slo_probes_total"
                + labels
                + 60 * Duration.between(from, to).toMillis() / 1000
                + "\n";
    }

    private void startAlertmanager(Path home, int port) throws Exception {
        ReceiverServer receiver =
                ReceiverServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        InstantSource.system(),
                        told::add);
        open.add(receiver);
        Files.createDirectories(home);
        Files.writeString(
                home.resolve("receiver.url"), "http://127.0.0.1:" + receiver.port() + "/\n");
        open.add(
                TestAlertmanager.start(
                        Servers.get(root, ServerKind.ALERTMANAGER),
                        home,
                        root.resolve("alerting/templates"),
                        Files.readString(root.resolve("alerting/alertmanager.yml")),
                        port));
    }

    private PrometheusClient startPrometheus(Path home, int port, int canary, int alertmanager)
            throws Exception {
        Path source = root.resolve("prometheus");
        for (String part : List.of("rules", "rules/native")) {
            copy(source.resolve(part), home.resolve(part));
        }
        Path targets = Files.createDirectories(home.resolve("targets"));
        target(targets.resolve("kafka-canary.yml"), canary);
        target(targets.resolve("alertmanager.yml"), alertmanager);
        target(targets.resolve("prometheus.yml"), port);
        Files.writeString(targets.resolve("kafka-broker.yml"), "[]\n");
        Files.writeString(targets.resolve("node.yml"), "[]\n");
        Path configuration =
                Files.copy(source.resolve("prometheus.yml"), home.resolve("prometheus.yml"));
        ManagedProcess process =
                Servers.start(
                        ServerSpecs.prometheus(
                                Servers.get(root, ServerKind.PROMETHEUS),
                                configuration,
                                home.resolve("data"),
                                port,
                                home.resolve("log")),
                        ServerSpecs.ready(port));
        open.add(process);
        return new PrometheusClient(ServerSpecs.url(port), HttpClient.newHttpClient());
    }

    private static void target(Path file, int port) throws IOException {
        Files.writeString(file, "- targets: ['127.0.0.1:" + port + "']\n");
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }
}
