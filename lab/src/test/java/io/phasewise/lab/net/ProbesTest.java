/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What counts as ready. */
class ProbesTest {

    @Test
    void aPortIsReadyWhenItAcceptsConnections() throws Exception {
        int port;
        HttpServer server = server(200, "");
        try {
            port = server.getAddress().getPort();
            assertThat(Probes.accepts(port).missing()).isEmpty();
        } finally {
            server.stop(0);
        }
        assertThat(Probes.accepts(port).missing())
                .contains("no one accepts connections on port " + port);
    }

    @Test
    void aUrlIsReadyWhenItAnswersWithSuccess() throws Exception {
        HttpServer server = server(200, "ok");
        try {
            assertThat(Probes.answers(HttpClient.newHttpClient(), uri(server)).missing()).isEmpty();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aUrlThatRefusesIsNotReadyAndItsReasonIsPassedOn() throws Exception {
        HttpServer server = server(503, "no probe went round yet\n");
        try {
            assertThat(Probes.answers(HttpClient.newHttpClient(), uri(server)).missing())
                    .contains(uri(server) + " answers 503: no probe went round yet");
        } finally {
            server.stop(0);
        }
    }

    private static HttpServer server(int status, String body) throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        server.start();
        return server;
    }

    private static URI uri(HttpServer server) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/-/ready");
    }
}
