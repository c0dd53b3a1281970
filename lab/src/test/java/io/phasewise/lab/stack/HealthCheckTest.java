/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.net.StubServer;
import io.phasewise.lab.process.ProcessIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthCheckTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final HealthCheck check = new HealthCheck(HttpClient.newHttpClient(), LONG, LONG);

    @AutoClose
    private final StubServer server = new StubServer();

    HealthCheckTest() throws IOException {}

    /** A canary that waits for a broker is itself in good health. */
    @ParameterizedTest
    @CsvSource({
        "PROMETHEUS, 200, '', true, ''",
        "PROMETHEUS, 503, starting, false, URL answers 503: starting",
        "CANARY, 503, broker 2: no probe, true, not ready: URL answers 503: broker 2: no probe",
    })
    void aServerIsAsItSays(ComponentKind kind, int status, String says, boolean healthy, String note) {
        server.answer("/-/healthy", 200, "").answer("/-/ready", status, says);

        String where = server.uri("/-/ready").toString();
        assertThat(look(kind)).isEqualTo(new Health(healthy, note.replace("URL", where)));
    }

    /** Its health is known by then. */
    @Test
    void aCanaryThatDoesNotSayInTimeWhetherItIsReadyIsInGoodHealth() {
        server.answer("/-/healthy", 200, "").silence("/-/ready");
        RunningComponent canary = running("it", ComponentKind.CANARY, server.port(), Samples.alive());
        HealthCheck brief = new HealthCheck(HttpClient.newHttpClient(), LONG, Duration.ofSeconds(3));

        assertThat(brief.of(List.of(canary))).containsEntry("it", new Health(true, "not ready: no answer in time"));
    }

    @Test
    void aBrokerNeedsItsPortAndItsExporter() throws Exception {
        int closed;
        try (ServerSocket clients = silent()) {
            closed = clients.getLocalPort();
            assertThat(broker(closed).healthy()).as("without exporter").isFalse();
            server.answer("/-/healthy", 200, "");
            assertThat(broker(closed)).isEqualTo(Health.GOOD);
        }
        assertThat(broker(closed).note()).contains("refuses connections");
    }

    @Test
    void aProcessThatIsGoneIsNotAskedAnything() throws Exception {
        server.answer("/-/ready", 200, "");

        assertThat(look(ComponentKind.PROMETHEUS, server.port(), Samples.gone()).note())
                .contains("gone");
    }

    @Test
    void manyServersThatDoNotAnswerTakeNoLongerThanOne() throws Exception {
        Duration bound = Duration.ofSeconds(1);
        List<RunningComponent> silent = new ArrayList<>();
        try (ServerSocket socket = silent()) {
            int port = socket.getLocalPort();
            for (int i = 0; i < 8; i++) {
                silent.add(running("silent-" + i, ComponentKind.RECEIVER, port, Samples.alive()));
            }
            long start = System.nanoTime();
            assertThat(new HealthCheck(HttpClient.newHttpClient(), bound, LONG)
                            .of(silent)
                            .values())
                    .hasSize(8)
                    .allSatisfy(health -> assertThat(health.healthy()).isFalse());
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("asked all at once")
                    .isLessThan(bound.multipliedBy(8));
        }
    }

    private Health broker(int port) {
        return look(ComponentKind.BROKER, port, Samples.alive());
    }

    private Health look(ComponentKind kind) {
        return look(kind, server.port(), Samples.alive());
    }

    private Health look(ComponentKind kind, int port, ProcessIdentity identity) {
        return check.of(List.of(running("it", kind, port, identity))).get("it");
    }

    private RunningComponent running(String name, ComponentKind kind, int port, ProcessIdentity identity) {
        Component component = new Component(name, kind, port, server.port());
        return new RunningComponent(component, identity, Path.of("x.log"));
    }

    /** Accepts connections and never says anything. */
    private static ServerSocket silent() throws IOException {
        return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }
}
