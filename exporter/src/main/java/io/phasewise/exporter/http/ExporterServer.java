/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.phasewise.exporter.config.ExporterConfig;
import io.phasewise.exporter.config.Tls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * The endpoint of the exporter, /metrics and /-/healthy, on a few daemon threads; what it serves is
 * left to {@link ScrapeHandler}.
 *
 * <p>A request that does not arrive in time loses its connection, and one that finds all threads
 * and the queue taken is refused: neither can take memory or threads from the broker.
 */
public final class ExporterServer implements AutoCloseable {

    private static final int QUEUE = 64;

    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    private ExporterServer(HttpServer server, ThreadPoolExecutor threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Binds the address and serves.
     *
     * @param access who may read; the number of threads and the time for a request are those of now
     * @param metrics answers /metrics
     * @throws IOException when the address cannot be bound
     */
    public static ExporterServer start(
            InetSocketAddress address, Access access, HttpHandler metrics) throws IOException {
        ExporterConfig.Http config = access.current();
        HttpServer server = bind(address, config, access);
        ThreadPoolExecutor threads =
                new ThreadPoolExecutor(
                        config.threads(),
                        config.threads(),
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(QUEUE),
                        task -> {
                            Thread thread = new Thread(task, "phasewise-exporter-http");
                            thread.setDaemon(true);
                            return thread;
                        });
        threads.allowCoreThreadTimeOut(true);
        server.setExecutor(threads);
        HttpHandler guarded =
                config.basicAuth().isPresent()
                        ? new Guard(() -> access.current().basicAuth().orElseThrow(), metrics)
                        : metrics;
        server.createContext("/metrics", only("/metrics", guarded));
        server.createContext(
                "/-/healthy", only("/-/healthy", exchange -> answer(exchange, 200, "healthy\n")));
        server.createContext("/", exchange -> answer(exchange, 404, "not found; see /metrics\n"));
        server.start();
        return new ExporterServer(server, threads);
    }

    private static HttpServer bind(
            InetSocketAddress address, ExporterConfig.Http config, Access access)
            throws IOException {
        // The JDK's server reads its limits once, from these, and has no other way to set them.
        String seconds = Long.toString(config.requestTimeout().toSeconds());
        boolean request = setIfAbsent("sun.net.httpserver.maxReqTime", seconds);
        boolean response = setIfAbsent("sun.net.httpserver.maxRspTime", "60");
        boolean headers = setIfAbsent("sun.net.httpserver.maxReqHeaderSize", "16384");
        try {
            if (config.tls().isEmpty()) {
                return HttpServer.create(address, QUEUE);
            }
            Supplier<Tls> tls = () -> access.current().tls().orElseThrow();
            SSLContext context = new ReloadedContext(() -> tls.get().context());
            HttpsServer server = HttpsServer.create(address, QUEUE);
            server.setHttpsConfigurator(
                    new HttpsConfigurator(context) {
                        @Override
                        public void configure(HttpsParameters parameters) {
                            SSLParameters ssl = context.getDefaultSSLParameters();
                            ssl.setNeedClientAuth(tls.get().clientsMustHaveCertificates());
                            parameters.setSSLParameters(ssl);
                        }
                    });
            return server;
        } finally {
            clear("sun.net.httpserver.maxReqTime", request);
            clear("sun.net.httpserver.maxRspTime", response);
            clear("sun.net.httpserver.maxReqHeaderSize", headers);
        }
    }

    private static boolean setIfAbsent(String property, String value) {
        if (System.getProperty(property) != null) {
            return false;
        }
        System.setProperty(property, value);
        return true;
    }

    private static void clear(String property, boolean isOurs) {
        if (isOurs) {
            System.clearProperty(property);
        }
    }

    /** The JDK's server matches by prefix; what is not exactly the path is not found. */
    private static HttpHandler only(String path, HttpHandler handler) {
        return exchange -> {
            String method = exchange.getRequestMethod();
            if (!exchange.getRequestURI().getPath().equals(path)) {
                answer(exchange, 404, "not found; see /metrics\n");
            } else if (!method.equals("GET") && !method.equals("HEAD")) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(exchange, 405, "only GET and HEAD\n");
            } else {
                handler.handle(exchange);
            }
        };
    }

    /** A short answer in plain text. */
    static void answer(HttpExchange exchange, int code, String text) throws IOException {
        try {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(code, head ? -1 : body.length);
            if (!head) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        } finally {
            exchange.close();
        }
    }

    /** The port that is bound. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
