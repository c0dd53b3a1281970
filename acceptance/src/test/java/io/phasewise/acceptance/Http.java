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

/** Asks the running stack over HTTP: status codes, JSON documents, pages. */
final class Http {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /** For conditions that ask a server: one answer that fails or is late ends nothing. */
    static ConditionFactory patiently(Duration limit) {
        return await().atMost(limit).ignoreExceptionsInstanceOf(IOException.class);
    }

    /** The status code, or 0 when nobody answers. */
    int statusCode(String url) {
        try {
            return get(url).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    JsonNode json(String url) throws IOException {
        HttpResponse<String> response = get(url);
        if (response.statusCode() != 200) {
            throw new IOException(url + " answered " + response.statusCode());
        }
        return JSON.readTree(response.body());
    }

    String text(String url) throws IOException {
        return get(url).body();
    }

    private HttpResponse<String> get(String url) throws IOException {
        try {
            return client.send(
                    HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
