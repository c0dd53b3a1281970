/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prometheus;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Answers a query by the first key that its text contains; nothing is found otherwise. */
public final class FakePrometheus implements AutoCloseable {

    private final Map<String, String> results = new LinkedHashMap<>();
    private final HttpServer server;

    public FakePrometheus() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    String query =
                            URLDecoder.decode(
                                    new String(
                                            exchange.getRequestBody().readAllBytes(),
                                            StandardCharsets.UTF_8),
                                    StandardCharsets.UTF_8);
                    String result =
                            results.entrySet().stream()
                                    .filter(each -> query.contains(each.getKey()))
                                    .map(Map.Entry::getValue)
                                    .findFirst()
                                    .orElse("\"vector\",\"result\":[]");
                    byte[] body =
                            ("{\"status\":\"success\",\"data\":{\"resultType\":" + result + "}}")
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
    }

    /**
     * Has an answer.
     *
     * @param labels and value of each series, as {@code {"broker":"1"} 0.5}
     */
    public FakePrometheus vector(String query, String... series) {
        StringBuilder all = new StringBuilder();
        for (String each : series) {
            int space = each.lastIndexOf(' ');
            all.append(all.length() == 0 ? "" : ",")
                    .append("{\"metric\":")
                    .append(each, 0, space)
                    .append(",\"value\":[1000,\"")
                    .append(each.substring(space + 1))
                    .append("\"]}");
        }
        results.put(query, "\"vector\",\"result\":[" + all + "]");
        return this;
    }

    /** Has an answer in the API's own words, from the type of the result on. */
    public FakePrometheus raw(String query, String result) {
        results.put(query, result);
        return this;
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
