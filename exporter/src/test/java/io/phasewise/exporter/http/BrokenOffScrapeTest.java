/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import io.phasewise.exporter.config.ConfigLoader;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Whoever reaches the port can break off scrapes; that must not write into the broker's log. */
class BrokenOffScrapeTest {
    /** More than the buffers of both ends of a connection on the loopback hold. */
    private static final int SERIES = 150_000;

    private final Logger root = Logger.getLogger("");
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Object> ended = new LinkedBlockingQueue<>();

    @Test
    void aScrapeThatIsBrokenOffPrintsNothingAndTheNextOneIsAnswered() throws Exception {
        PrometheusRegistry registry = new PrometheusRegistry();
        Gauge gauge =
                Gauge.builder()
                        .name("a_gauge_with_a_name_of_some_length_and_many_series")
                        .labelNames("number")
                        .register(registry);
        for (int i = 0; i < SERIES; i++) {
            gauge.labelValues(Integer.toString(i)).set(i);
        }
        HttpHandler scrapes = new ScrapeHandler(registry, List::of, System::nanoTime, errors::add);
        Printed printed = new Printed();
        root.addHandler(printed);
        try (ExporterServer server =
                ExporterServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        // Without files there is nothing to read again, and nobody to tell.
                        new Access(
                                ConfigLoader.defaults().http(),
                                ConfigLoader::defaults,
                                null,
                                System::nanoTime),
                        exchange -> {
                            try {
                                scrapes.handle(exchange);
                                ended.add("answered");
                            } catch (IOException e) {
                                ended.add(e);
                                throw e;
                            }
                        })) {
            try (Socket socket = asked(server.port())) {
                socket.setSoLinger(true, 0);
            }
            assertThat(ended.poll(30, TimeUnit.SECONDS)).isInstanceOf(IOException.class);

            try (Socket socket = asked(server.port())) {
                assertThat(socket.getInputStream().readAllBytes()).hasSizeGreaterThan(SERIES);
            }
            assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("answered");
        } finally {
            root.removeHandler(printed);
        }
        assertThat(printed.records).isEmpty();
        assertThat(errors).isEmpty();
    }

    /** Asks for /metrics and reads the beginning of the answer. */
    private static Socket asked(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream()
                .write(
                        "GET /metrics HTTP/1.1\r\nHost: broker\r\nConnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
        socket.setSoTimeout(30_000);
        assertThat(socket.getInputStream().read()).isEqualTo('H');
        return socket;
    }

    private static final class Printed extends Handler {
        final List<String> records = new ArrayList<>();

        @Override
        public synchronized void publish(LogRecord record) {
            records.add(record.getLoggerName() + ": " + record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
