/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.phasewise.canary.config.HttpConfig;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.exporter.httpserver.HttpExchangeAdapter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Filter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class BrokenOffScrapesTest {
    /** More than the buffers of both ends of a connection on the loopback hold. */
    private static final int SERIES = 150_000;

    private final Logger log = Logger.getLogger(HttpExchangeAdapter.class.getName());

    @Test
    void whatTheClientDidIsLeftOutAndWhatTheCanaryDidIsNot() {
        Filter filter = new BrokenOffScrapes();
        assertThat(filter.isLoggable(thrown(new IOException("Broken pipe")))).isFalse();
        assertThat(filter.isLoggable(thrown(new IllegalStateException("two of one name"))))
                .isTrue();
        assertThat(filter.isLoggable(thrown(null))).isTrue();
    }

    private static LogRecord thrown(Throwable cause) {
        LogRecord record = new LogRecord(Level.SEVERE, "a scrape failed");
        record.setThrown(cause);
        return record;
    }

    @Test
    void aScrapeThatIsBrokenOffPrintsNothing() throws Exception {
        PrometheusRegistry registry = new PrometheusRegistry();
        Gauge gauge =
                Gauge.builder()
                        .name("a_gauge_with_a_name_of_some_length_and_many_series")
                        .labelNames("number")
                        .register(registry);
        for (int i = 0; i < SERIES; i++) {
            gauge.labelValues(Integer.toString(i)).set(i);
        }
        Printed printed = new Printed();
        try (WebServer server =
                new WebServer(
                        HttpConfig.open("127.0.0.1", 0),
                        registry,
                        Labels.EMPTY,
                        new Nothing(),
                        System::nanoTime)) {
            server.start();
            Filter filter = log.getFilter();
            List<LogRecord> handed = new CopyOnWriteArrayList<>();
            log.setFilter(
                    record -> {
                        handed.add(record);
                        return filter.isLoggable(record);
                    });
            log.addHandler(printed);

            breakOff(server.port());

            await("client_java has noticed")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !handed.isEmpty());
            assertThat(handed)
                    .allSatisfy(r -> assertThat(r.getThrown()).isInstanceOf(IOException.class));
        } finally {
            log.removeHandler(printed);
            log.setFilter(null);
        }
        assertThat(printed.records).isEmpty();
    }

    /** Asks, reads the beginning of the answer, and resets the connection. */
    private static void breakOff(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(
                            "GET /metrics HTTP/1.1\r\nHost: canary\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            socket.setSoTimeout(30_000);
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            socket.setSoLinger(true, 0);
        }
    }

    private static final class Printed extends Handler {
        final List<LogRecord> records = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord record) {
            records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
