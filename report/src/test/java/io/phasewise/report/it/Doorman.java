/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before a server and lets in who shows the right bearer token, as a gateway does; and can
 * be away for some of the questions.
 */
final class Doorman implements AutoCloseable {

    private final HttpServer door;
    private final HttpClient http;
    private final URI behind;
    private final Map<String, String> headers;
    private final String token;
    private final int awayFrom;
    private final int awayTo;
    private final AtomicInteger asked = new AtomicInteger();

    /**
     * @param http what the server behind trusts
     * @param headers that it wants
     * @param awayFrom the first question that breaks off without an answer, counted from 1
     * @param awayTo the first after it that is answered again
     */
    Doorman(
            HttpClient http,
            URI behind,
            Map<String, String> headers,
            String token,
            int awayFrom,
            int awayTo)
            throws IOException {
        this.http = http;
        this.behind = behind;
        this.headers = headers;
        this.token = token;
        this.awayFrom = awayFrom;
        this.awayTo = awayTo;
        door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        door.createContext("/", this::answer);
        door.start();
    }

    String url() {
        return "http://127.0.0.1:" + door.getAddress().getPort();
    }

    int asked() {
        return asked.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        int number = asked.incrementAndGet();
        try (exchange) {
            byte[] question = exchange.getRequestBody().readAllBytes();
            if (number >= awayFrom && number < awayTo) {
                return;
            }
            if (!("Bearer " + token)
                    .equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.sendResponseHeaders(401, -1);
                return;
            }
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(behind.toString() + exchange.getRequestURI()))
                            .method(
                                    exchange.getRequestMethod(),
                                    HttpRequest.BodyPublishers.ofByteArray(question));
            headers.forEach(request::header);
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            if (type != null) {
                request.header("Content-Type", type);
            }
            HttpResponse<byte[]> response =
                    http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            exchange.sendResponseHeaders(response.statusCode(), response.body().length);
            exchange.getResponseBody().write(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        door.stop(0);
    }
}
