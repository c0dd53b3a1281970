/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The endpoint of the exporter, /metrics and /-/healthy, on a few daemon threads; what it serves is
 * left to the registry.
 */
public final class ExporterServer {

    private static final int THREADS = 3;
    private static final int QUEUE = 32;

    private final HttpServer server;

    private ExporterServer(HttpServer server) {
        this.server = server;
    }

    /**
     * Binds the address and serves.
     *
     * @throws IOException when the address cannot be bound
     */
    public static ExporterServer start(InetSocketAddress address, PrometheusRegistry registry)
            throws IOException {
        HttpServer server = HttpServer.create(address, QUEUE);
        server.setExecutor(
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(QUEUE),
                        task -> {
                            Thread thread = new Thread(task, "phasewise-exporter-http");
                            thread.setDaemon(true);
                            return thread;
                        }));
        server.createContext("/metrics", new MetricsHandler(registry));
        server.createContext(
                "/-/healthy",
                exchange -> {
                    byte[] body = "healthy\n".getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    try (OutputStream out = exchange.getResponseBody()) {
                        out.write(body);
                    }
                });
        server.start();
        return new ExporterServer(server);
    }

    /** The port that is bound. */
    public int port() {
        return server.getAddress().getPort();
    }
}
