/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.phasewise.lab.receiver.WebhookReader.Webhook;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The receiver's HTTP server: takes webhook calls on {@code POST /}, shows what it keeps on {@code
 * /} and {@code /notifications}, says that it lives on {@code /-/healthy}, and shows runbooks where
 * it is given some. What to do with a notification beyond keeping it is left to a listener.
 */
public final class ReceiverServer implements AutoCloseable {

    /** How many notifications are kept. */
    public static final int CAPACITY = 200;

    /** The largest webhook call taken, in bytes. */
    public static final int MAX_BODY = 1 << 20;

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String HTML = "text/html; charset=utf-8";
    private static final String JSON = "application/json";

    /** A page by name alone: nothing outside of the directory can be asked for. */
    private static final Pattern RUNBOOK = Pattern.compile("/runbooks/(\\w+\\.md)");

    private final HttpServer server;
    private final HttpContext root;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final NotificationLog log = new NotificationLog(CAPACITY);
    private final WebhookReader reader = new WebhookReader();
    private final NotificationJson json = new NotificationJson();
    private final NotificationPage page = new NotificationPage();
    private final InstantSource clock;
    private final Consumer<Notification> listener;

    /**
     * Binds the address and begins to serve.
     *
     * @param address port 0 takes any free port
     * @param listener told of each notification, one at a time
     * @throws IOException when the address cannot be bound
     */
    public static ReceiverServer start(
            InetSocketAddress address, InstantSource clock, Consumer<Notification> listener)
            throws IOException {
        ReceiverServer receiver =
                new ReceiverServer(HttpServer.create(address, 0), clock, listener);
        receiver.server.start();
        return receiver;
    }

    /**
     * As {@link #start(InetSocketAddress, InstantSource, Consumer)}, with TLS and a password for
     * all but whether it lives.
     *
     * @throws IOException when the address cannot be bound
     */
    public static ReceiverServer start(
            InetSocketAddress address,
            ReceiverAccess access,
            InstantSource clock,
            Consumer<Notification> listener)
            throws IOException {
        HttpsServer https = HttpsServer.create(address, 0);
        https.setHttpsConfigurator(new HttpsConfigurator(access.context()));
        ReceiverServer receiver = new ReceiverServer(https, clock, listener);
        receiver.root.setAuthenticator(access.login());
        https.start();
        return receiver;
    }

    private ReceiverServer(
            HttpServer server, InstantSource clock, Consumer<Notification> listener) {
        this.server = server;
        this.clock = clock;
        this.listener = listener;
        server.setExecutor(threads);
        root = server.createContext("/", this::serve);
        server.createContext("/-/healthy", this::serve);
    }

    /**
     * From now on also shows the Markdown files of a directory, as they are, at {@code
     * /runbooks/NAME.md}; to whom the rest is shown.
     *
     * @param directory read at each request
     */
    public void showRunbooks(Path directory) {
        HttpContext runbooks =
                server.createContext("/runbooks/", exchange -> runbook(directory, exchange));
        runbooks.setAuthenticator(root.getAuthenticator());
    }

    /** The port bound. */
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String method = exchange.getRequestMethod();
            boolean reads = method.equals("GET") || method.equals("HEAD");
            switch (path) {
                case "/" -> {
                    if (method.equals("POST")) {
                        take(exchange);
                    } else if (reads) {
                        answer(exchange, 200, HTML, utf8(page.render(log.newestAfter(0))));
                    } else {
                        notAllowed(exchange, "GET, HEAD, POST");
                    }
                }
                case "/notifications" -> {
                    if (reads) {
                        list(exchange);
                    } else {
                        notAllowed(exchange, "GET, HEAD");
                    }
                }
                case "/-/healthy" -> {
                    if (reads) {
                        answer(exchange, 200, TEXT, utf8("healthy\n"));
                    } else {
                        notAllowed(exchange, "GET, HEAD");
                    }
                }
                default ->
                        answer(
                                exchange,
                                404,
                                TEXT,
                                utf8("not found; here are: /, /notifications, /-/healthy\n"));
            }
        }
    }

    private static void runbook(Path directory, HttpExchange exchange) throws IOException {
        try (exchange) {
            String method = exchange.getRequestMethod();
            if (!method.equals("GET") && !method.equals("HEAD")) {
                notAllowed(exchange, "GET, HEAD");
                return;
            }
            Matcher name = RUNBOOK.matcher(exchange.getRequestURI().getPath());
            if (!name.matches()) {
                answer(exchange, 404, TEXT, utf8("not found; here is: /runbooks/ALERT.md\n"));
                return;
            }
            byte[] page;
            try {
                page = Files.readAllBytes(directory.resolve(name.group(1)));
            } catch (NoSuchFileException unknown) {
                answer(exchange, 404, TEXT, utf8("no runbook is " + name.group(1) + "\n"));
                return;
            }
            answer(exchange, 200, TEXT, page);
        }
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            answer(exchange, 413, TEXT, utf8("larger than " + MAX_BODY + " bytes\n"));
            return;
        }
        Webhook webhook;
        try {
            webhook = reader.read(body);
        } catch (MalformedNotificationException malformed) {
            answer(exchange, 400, TEXT, utf8(malformed.getMessage() + "\n"));
            return;
        }
        keep(webhook);
        answer(exchange, 200, TEXT, utf8("ok\n"));
    }

    // One at a time, so that the listener sees notifications in the order of their ids.
    private synchronized void keep(Webhook webhook) {
        listener.accept(
                log.add(
                        id ->
                                new Notification(
                                        id,
                                        clock.instant(),
                                        webhook.status(),
                                        webhook.receiver(),
                                        webhook.alerts())));
    }

    private void list(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        long after = 0;
        if (query != null) {
            if (!query.matches("after=[0-9]{1,18}")) {
                answer(exchange, 400, TEXT, utf8("query: after=ID, a whole number, is allowed\n"));
                return;
            }
            after = Long.parseLong(query.substring("after=".length()));
        }
        answer(exchange, 200, JSON, json.write(log.newestAfter(after)));
    }

    private static void notAllowed(HttpExchange exchange, String allowed) throws IOException {
        exchange.getResponseHeaders().set("Allow", allowed);
        answer(exchange, 405, TEXT, utf8("allowed: " + allowed + "\n"));
    }

    private static void answer(HttpExchange exchange, int status, String type, byte[] body)
            throws IOException {
        exchange.getResponseHeaders()
                .putAll(
                        Map.of(
                                "Content-Type",
                                List.of(type),
                                "Content-Security-Policy",
                                List.of("default-src 'none'; style-src 'unsafe-inline'"),
                                "X-Content-Type-Options",
                                List.of("nosniff"),
                                "Cache-Control",
                                List.of("no-store")));
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(status, -1);
            return;
        }
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
