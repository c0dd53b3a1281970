/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.phasewise.canary.config.HttpConfig;
import io.phasewise.canary.config.HttpTls;
import io.phasewise.canary.config.HttpUser;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.exporter.httpserver.HttpExchangeAdapter;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Serves metrics, health, readiness, status and the page; what they say is left to {@link
 * StatusSource} and the registry.
 *
 * <p>A few threads and a short queue: a flood of requests is refused, it does not take the machine
 * from the probes. Where there is a password, all but health and whether it is ready needs it: who
 * restarts a process by these has none.
 */
public final class WebServer implements AutoCloseable {
    private static final int THREADS = 4;
    private static final int QUEUE = 64;

    /** Held, for the JDK keeps loggers weakly. */
    private final Logger scrapeLog = Logger.getLogger(HttpExchangeAdapter.class.getName());

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final StatusJson json = new StatusJson();
    private final Page page = new Page();

    /**
     * Binds the port; serves nothing before {@link #start}.
     *
     * @param config where to listen, and who may read
     * @param registry what /metrics shows
     * @param everywhere labels that all series carry
     * @param status what the rest shows
     * @param nanoClock monotonic nanoseconds
     * @throws IOException when the port cannot be bound, the message says which and how to change
     *     it; or when a file cannot be read
     */
    public WebServer(
            HttpConfig config,
            PrometheusRegistry registry,
            Labels everywhere,
            StatusSource status,
            LongSupplier nanoClock)
            throws IOException {
        Optional<Counter> failures = failures(config, registry, everywhere);
        Optional<Login> login =
                config.user().isEmpty()
                        ? Optional.empty()
                        : Optional.of(login(config.user().get(), failures.get(), nanoClock));
        try {
            InetSocketAddress address = new InetSocketAddress(config.host(), config.port());
            server =
                    config.tls().isEmpty()
                            ? HttpServer.create(address, QUEUE)
                            : encrypted(address, config.tls().get(), failures.get(), nanoClock);
        } catch (BindException | java.nio.channels.UnresolvedAddressException e) {
            throw new IOException(
                    "cannot listen on "
                            + config.host()
                            + ":"
                            + config.port()
                            + " ("
                            + e.getMessage()
                            + "); set canary.http.host, canary.http.port",
                    e);
        }
        scrapeLog.setFilter(new BrokenOffScrapes());
        AtomicInteger number = new AtomicInteger();
        threads =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        30,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(QUEUE),
                        task -> {
                            Thread thread = new Thread(task, "web-" + number.incrementAndGet());
                            thread.setDaemon(true);
                            return thread;
                        });
        server.setExecutor(threads);
        server.createContext(
                "/-/healthy", exact("/-/healthy", () -> Answer.text(200, "healthy\n")));
        server.createContext(
                "/-/ready", exact("/-/ready", () -> readiness(status, login.isEmpty())));
        List<HttpContext> guarded =
                List.of(
                        server.createContext("/metrics", new MetricsHandler(registry)),
                        server.createContext(
                                "/status",
                                exact("/status", () -> Answer.json(200, json.write(status)))),
                        server.createContext(
                                "/",
                                exact("/", () -> Answer.html(page.write(status), page.policy()))));
        login.ifPresent(asks -> guarded.forEach(context -> context.setAuthenticator(asks)));
    }

    /** There is nothing to count where no files are read. */
    private static Optional<Counter> failures(
            HttpConfig config, PrometheusRegistry registry, Labels everywhere) {
        if (config.tls().isEmpty() && config.user().isEmpty()) {
            return Optional.empty();
        }
        Counter failures =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_http_reload_errors_total")
                        .help(
                                "Changes of the endpoint's files (tls, password) that were of no"
                                        + " use; the earlier content stays.")
                        .labelNames("kind")
                        .register(registry);
        config.tls().ifPresent(tls -> failures.initLabelValues("tls"));
        config.user().ifPresent(user -> failures.initLabelValues("password"));
        return Optional.of(failures);
    }

    private static Login login(HttpUser user, Counter failures, LongSupplier nanoClock)
            throws IOException {
        Reloaded<String> password =
                new Reloaded<>(
                        "canary.http.basic-auth",
                        Set.of(user.passwordFile()),
                        user::password,
                        () -> failures.labelValues("password").inc(),
                        nanoClock);
        return new Login(user.name(), password::current);
    }

    private static HttpServer encrypted(
            InetSocketAddress address, HttpTls tls, Counter failures, LongSupplier nanoClock)
            throws IOException {
        Reloaded<SSLContext> contexts =
                new Reloaded<>(
                        "canary.http.tls",
                        tls.files(),
                        tls::context,
                        () -> failures.labelValues("tls").inc(),
                        nanoClock);
        SSLContext context = new ReloadedContext(contexts::current);
        HttpsServer https = HttpsServer.create(address, QUEUE);
        https.setHttpsConfigurator(
                new HttpsConfigurator(context) {
                    @Override
                    public void configure(HttpsParameters parameters) {
                        SSLParameters ssl = context.getDefaultSSLParameters();
                        ssl.setNeedClientAuth(tls.clientAuthority().isPresent());
                        parameters.setSSLParameters(ssl);
                    }
                });
        return https;
    }

    /** Begins to serve. */
    public void start() {
        server.start();
    }

    /** The port that is really bound, which matters when the configured one is 0. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private Answer readiness(StatusSource status, boolean forEverybody) {
        List<String> reasons =
                status.clusters().stream().flatMap(c -> c.notReady().stream()).toList();
        if (!forEverybody) {
            // The reasons name brokers; /status has them.
            return reasons.isEmpty()
                    ? Answer.text(200, "ready\n")
                    : Answer.text(503, "not ready; /status says why\n");
        }
        return Answer.json(reasons.isEmpty() ? 200 : 503, json.writeReadiness(reasons));
    }

    /** The JDK's server matches by prefix; what is not exactly the path is not found. */
    private static HttpHandler exact(String path, Supplier<Answer> answers) {
        return exchange -> {
            try (exchange) {
                String method = exchange.getRequestMethod();
                if (!method.equals("GET") && !method.equals("HEAD")) {
                    exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                    Answer.text(405, "only GET and HEAD\n").send(exchange);
                } else if (exchange.getRequestURI().getPath().equals(path)) {
                    answers.get().send(exchange);
                } else {
                    Answer.text(404, "not found\n").send(exchange);
                }
            }
        };
    }

    private record Answer(int code, String type, byte[] body, Map<String, String> headers) {
        static Answer text(int code, String text) {
            return new Answer(
                    code,
                    "text/plain; charset=utf-8",
                    text.getBytes(StandardCharsets.UTF_8),
                    Map.of());
        }

        static Answer html(String text, String policy) {
            return new Answer(
                    200,
                    "text/html; charset=utf-8",
                    text.getBytes(StandardCharsets.UTF_8),
                    Map.of("Content-Security-Policy", policy, "Referrer-Policy", "no-referrer"));
        }

        static Answer json(int code, byte[] body) {
            return new Answer(code, "application/json", body, Map.of());
        }

        void send(HttpExchange exchange) throws IOException {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            headers.forEach(exchange.getResponseHeaders()::set);
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(code, head ? -1 : body.length);
            if (!head) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        }
    }
}
