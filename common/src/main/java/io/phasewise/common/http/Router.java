/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.phasewise.common.auth.BasicAuth;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * Takes one request from its first byte to the last byte of its answer: who asks, which handler
 * answers, what is sent. Everything that is read from a client or sent to it passes here, so that
 * its time can be limited.
 */
final class Router implements HttpHandler {

    private static final int BUFFER = 1 << 13;

    /** Answers are for now only, and a browser runs nothing that one of them does not name. */
    private static final Map<String, String> HEADERS = Map.of(
            "Cache-Control", "no-store",
            "Content-Security-Policy", "default-src 'none'",
            "Referrer-Policy", "no-referrer",
            "X-Content-Type-Options", "nosniff");

    private final String name;
    private final Map<String, HttpEndpoint.Route> routes;
    private final HttpEndpoint.Route rest;
    private final Optional<Supplier<BasicAuth>> basicAuth;
    private final HttpLimits limits;
    private final ExchangeThreads threads;
    private final Consumer<Exception> faults;

    Router(
            String name,
            Map<String, HttpEndpoint.Route> routes,
            HttpEndpoint.Route rest,
            Optional<Supplier<BasicAuth>> basicAuth,
            HttpLimits limits,
            ExchangeThreads threads,
            Consumer<Exception> faults) {
        this.name = name;
        this.routes = routes;
        this.rest = rest;
        this.basicAuth = basicAuth;
        this.limits = limits;
        this.threads = threads;
        this.faults = faults;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        HttpEndpoint.Route route = routes.getOrDefault(exchange.getRequestURI().getPath(), rest);
        InetAddress from = exchange.getRemoteAddress().getAddress();
        try {
            if (threads.isRefusing(from)) {
                send(exchange, Answer.busy("too many requests wait; try again"));
                return;
            }
            byte[] body = body(exchange, route);
            threads.work();
            if (route.isOpen) {
                respond(exchange, route, body);
                return;
            }
            if (!threads.arrived(from)) {
                threads.waitForClient(limits.response);
                send(exchange, Answer.busy("too many requests from this address at once; try again"));
                return;
            }
            try {
                respond(exchange, route, body);
            } finally {
                threads.answered(from);
            }
        } finally {
            exchange.close();
        }
    }

    private void respond(HttpExchange exchange, HttpEndpoint.Route route, byte[] body) throws IOException {
        Answer answer = answer(exchange, route, body);
        threads.waitForClient(limits.response);
        send(exchange, answer);
    }

    /** Null where the body is too large. */
    private byte[] body(HttpExchange exchange, HttpEndpoint.Route route) throws IOException {
        if (!exchange.getRequestMethod().equals("POST") || !route.byMethod.containsKey("POST")) {
            return new byte[0];
        }
        byte[] body = exchange.getRequestBody().readNBytes(limits.bodyBytes + 1);
        return body.length > limits.bodyBytes ? null : body;
    }

    private Answer answer(HttpExchange exchange, HttpEndpoint.Route route, byte[] body) {
        if (basicAuth.isPresent() && !route.isOpen) {
            Optional<Answer> refusal = refusal(exchange, basicAuth.get().get());
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        RequestHandler handler = route.byMethod.get(exchange.getRequestMethod());
        if (handler == null) {
            String allowed = String.join(", ", route.byMethod.keySet());
            return Answer.text(405, "allowed: " + allowed + "\n").with("Allow", allowed);
        }
        if (body == null) {
            return Answer.text(413, "larger than " + limits.bodyBytes + " bytes\n");
        }
        try {
            return handler.answer(new Request(exchange.getRequestURI(), exchange.getRequestHeaders(), body));
        } catch (Exception e) {
            faults.accept(e);
            return Answer.text(500, "failed; the log says why\n");
        }
    }

    private Optional<Answer> refusal(HttpExchange exchange, BasicAuth users) {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        if (header == null || !header.regionMatches(true, 0, "Basic ", 0, 6)) {
            return Optional.of(unauthorized());
        }
        String credentials;
        try {
            credentials =
                    new String(Base64.getDecoder().decode(header.substring(6).trim()), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            credentials = "";
        }
        int colon = credentials.indexOf(':');
        if (colon < 0) {
            return Optional.of(Answer.text(400, "malformed Authorization\n"));
        }
        InetAddress from = exchange.getRemoteAddress().getAddress();
        switch (users.check(from, credentials.substring(0, colon), credentials.substring(colon + 1))) {
            case ACCEPTED:
                return Optional.empty();
            case BUSY:
                return Optional.of(
                        Answer.text(429, "too many logins at once; try again\n").with("Retry-After", "1"));
            default:
                return Optional.of(unauthorized());
        }
    }

    private Answer unauthorized() {
        return Answer.text(401, "user name and password required\n")
                .with("WWW-Authenticate", "Basic realm=\"" + name + "\", charset=\"UTF-8\"");
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        HEADERS.forEach(exchange.getResponseHeaders()::set);
        answer.headers.forEach(exchange.getResponseHeaders()::set);
        if (exchange.getRequestMethod().equals("HEAD") || answer.length == 0) {
            exchange.sendResponseHeaders(answer.status, -1);
            return;
        }
        String encodings = exchange.getRequestHeaders().getFirst("Accept-Encoding");
        if (answer.compressible && encodings != null && encodings.contains("gzip")) {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(answer.status, 0);
            try (OutputStream out = new GZIPOutputStream(exchange.getResponseBody(), BUFFER)) {
                answer.body.writeTo(out);
            }
        } else {
            exchange.sendResponseHeaders(answer.status, answer.length);
            try (OutputStream out = exchange.getResponseBody()) {
                answer.body.writeTo(out);
            }
        }
    }
}
