/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.phasewise.lab.process.ProcessIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HealthCheckTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final HealthCheck check = new HealthCheck(HttpClient.newHttpClient(), LONG, LONG);

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable closeable : open) {
            closeable.close();
        }
    }

    @Test
    void aServerThatIsReadyIsHealthy() throws Exception {
        assertThat(look(component(ComponentKind.PROMETHEUS, server("/-/ready", 200, ""))))
                .isEqualTo(Health.GOOD);
    }

    @Test
    void aServerThatIsNotReadySaysSo() throws Exception {
        Health health =
                look(component(ComponentKind.PROMETHEUS, server("/-/ready", 503, "starting")));

        assertThat(health.healthy()).isFalse();
        assertThat(health.note()).contains("503", "starting");
    }

    @Test
    void aCanaryThatWaitsForABrokerIsHealthyAndNotReady() throws Exception {
        HttpServer server = httpServer();
        answer(server, "/-/healthy", 200, "");
        answer(server, "/-/ready", 503, "broker 2: no probe came back");

        Health health = look(component(ComponentKind.CANARY, server.getAddress().getPort()));

        assertThat(health.healthy()).isTrue();
        assertThat(health.note()).contains("not ready", "broker 2");
    }

    @Test
    void aBrokerNeedsItsPortAndItsExporter() throws Exception {
        int clients = silentPort();
        int exporter = server("/-/healthy", 200, "");

        assertThat(look(broker(clients, exporter))).isEqualTo(Health.GOOD);
        assertThat(look(broker(clients, closedPort())).healthy()).isFalse();
        assertThat(look(broker(closedPort(), exporter)).note()).contains("refuses connections");
    }

    @Test
    void aProcessThatIsGoneIsNotAskedAnything() throws Exception {
        int port = server("/-/ready", 200, "");
        RunningComponent gone = running(component(ComponentKind.PROMETHEUS, port), Samples.gone());

        assertThat(check.of(List.of(gone)).get("prometheus").note()).contains("gone");
    }

    @Test
    void manyServersThatDoNotAnswerTakeNoLongerThanOne() throws Exception {
        Duration bound = Duration.ofSeconds(1);
        int servers = 8;
        List<RunningComponent> silent = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            int port = silentPort();
            silent.add(
                    running(
                            new Component(
                                    "silent-" + i,
                                    ComponentKind.RECEIVER,
                                    port,
                                    "http://127.0.0.1:" + port,
                                    Optional.empty(),
                                    Optional.empty()),
                            Samples.alive()));
        }
        long start = System.nanoTime();

        assertThat(new HealthCheck(HttpClient.newHttpClient(), bound, LONG).of(silent).values())
                .hasSize(servers)
                .allSatisfy(health -> assertThat(health.healthy()).isFalse());

        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .as("asked all at once")
                .isLessThan(bound.multipliedBy(servers));
    }

    private Health look(Component component) throws InterruptedException {
        return check.of(List.of(running(component, Samples.alive()))).get(component.name());
    }

    private static RunningComponent running(Component component, ProcessIdentity identity) {
        return new RunningComponent(component, identity, Path.of("x.log"), Samples.SINCE);
    }

    private static Component component(ComponentKind kind, int port) {
        return new Component(
                kind.label(),
                kind,
                port,
                "http://127.0.0.1:" + port,
                Optional.empty(),
                Optional.empty());
    }

    private static Component broker(int port, int exporter) {
        String metrics = "http://127.0.0.1:" + exporter + "/metrics";
        return new Component(
                "broker-1",
                ComponentKind.BROKER,
                port,
                metrics,
                Optional.of("127.0.0.1:" + port),
                Optional.of(metrics));
    }

    private int server(String path, int status, String body) throws IOException {
        HttpServer server = httpServer();
        answer(server, path, status, body);
        return server.getAddress().getPort();
    }

    private HttpServer httpServer() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        open.add(() -> server.stop(0));
        return server;
    }

    private static void answer(HttpServer server, String path, int status, String body) {
        server.createContext(
                path,
                exchange -> {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
    }

    /** Accepts connections and never says anything. */
    private int silentPort() throws IOException {
        ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        open.add(socket);
        return socket.getLocalPort();
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
