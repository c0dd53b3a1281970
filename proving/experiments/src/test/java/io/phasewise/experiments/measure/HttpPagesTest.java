/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpPagesTest {
    private final HttpPages pages = new HttpPages();
    private HttpServer server;
    private volatile int status;
    private volatile String page;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            byte[] body = page.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private String answering(int newStatus, String newPage) {
        status = newStatus;
        page = newPage;
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
    }

    @Test
    void seriesAreReadOffAPage() throws Exception {
        String url = answering(200, "a_total 2.0\n");

        assertThat(pages.scrape(url).page().sum("a_total")).isEqualTo(2);
    }

    @Test
    void anErrorIsNoPageOfZeros() {
        String url = answering(503, "a_total 2.0\n");

        assertThatThrownBy(() -> pages.scrape(url))
                .isInstanceOf(IOException.class)
                .hasMessage(url + " answered with status 503");
    }

    @Test
    void neitherIsAnEmptyPageOrAnotherText() {
        for (String other : new String[] {"", "# TYPE a counter\n", "all is well\n"}) {
            String url = answering(200, other);

            assertThatThrownBy(() -> pages.scrape(url))
                    .as(other)
                    .isInstanceOf(IOException.class)
                    .hasMessage(url + " answered with status 200 and no metrics");
        }
    }

    @Test
    void whoeverAsksForAnyAnswerGetsIt() throws Exception {
        String url = answering(503, "not ready");

        assertThat(pages.get(url).status()).isEqualTo(503);
    }
}
