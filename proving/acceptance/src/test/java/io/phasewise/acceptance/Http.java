/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;

/** Asks a running server over HTTP: status codes, JSON documents, pages. */
final class Http {
    /** How long to wait for an answer on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /** Waits for a condition that asks a server: a failed or late answer counts as not yet. */
    static ConditionFactory patiently() {
        return await().atMost(PATIENCE).ignoreExceptionsInstanceOf(IOException.class);
    }

    /** As {@link #patiently}, until what is asserted holds. */
    static void eventually(ThrowingRunnable asserted) {
        patiently().untilAsserted(asserted);
    }

    /** The status code; 0 when nobody answers. */
    int statusCode(String url) {
        try {
            return send(to(url)).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    JsonNode json(String url) throws IOException {
        return ok(to(url));
    }

    String text(String url) throws IOException {
        return send(to(url)).body();
    }

    /** Posts a value as JSON; returns the answer. */
    JsonNode post(String url, Object body) throws IOException {
        return ok(to(url).header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))));
    }

    private static HttpRequest.Builder to(String url) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(10));
    }

    private JsonNode ok(HttpRequest.Builder request) throws IOException {
        HttpResponse<String> response = send(request);
        if (response.statusCode() != 200) {
            throw new IOException(response.uri() + " answered " + response.statusCode() + response.body());
        }
        return JSON.readTree(response.body());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
