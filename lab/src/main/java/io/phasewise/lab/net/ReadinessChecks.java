/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.net;

import io.phasewise.common.client.BoundedClient;
import io.phasewise.lab.process.Await;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Readiness conditions for {@link Await}: a port accepts connections, a URL answers. */
public final class ReadinessChecks {

    private static final Duration REQUEST_BOUND = Duration.ofSeconds(2);

    /** Large enough for a page of metrics. */
    private static final long MOST_BYTES = 64L << 20;

    private static final int SHOWN_CHARACTERS = 200;

    private ReadinessChecks() {}

    /**
     * Holds when the loopback port accepts connections.
     *
     * @param port 1 to 65535
     */
    public static Await.Check accepts(int port) {
        return accepts(InetAddress.getLoopbackAddress().getHostAddress(), port);
    }

    /**
     * Holds when the port accepts connections.
     *
     * @param address that is no name
     * @param port 1 to 65535
     */
    public static Await.Check accepts(String address, int port) {
        return () -> Ports.accepts(address, port)
                ? Optional.empty()
                : Optional.of("no one accepts connections on port " + port);
    }

    /**
     * Holds when a GET answers with a status of 200 to 299.
     *
     * @param client for all requests
     * @param uri plain http
     */
    public static Await.Check answers(HttpClient client, URI uri) {
        return answers(client, uri, REQUEST_BOUND);
    }

    /** As {@link #answers(HttpClient, URI)}, with another bound for each whole answer. */
    public static Await.Check answers(HttpClient client, URI uri, Duration bound) {
        BoundedClient bounded = new BoundedClient(client);
        return () -> {
            HttpResponse<byte[]> response =
                    bounded.send(HttpRequest.newBuilder(uri), BoundedClient.Limits.of(bound, MOST_BYTES));
            if (response.statusCode() / 100 == 2) {
                return Optional.empty();
            }
            String body = new String(response.body(), StandardCharsets.UTF_8).strip();
            return Optional.of("%s answers %d%s"
                    .formatted(uri, response.statusCode(), body.isEmpty() ? "" : ": " + shortened(body)));
        };
    }

    private static String shortened(String body) {
        return body.length() <= SHOWN_CHARACTERS ? body : body.substring(0, SHOWN_CHARACTERS) + "...";
    }
}
