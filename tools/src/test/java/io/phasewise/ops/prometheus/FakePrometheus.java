/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prometheus;

import io.phasewise.common.http.Answer;
import io.phasewise.common.http.HttpEndpoint;
import io.phasewise.common.http.HttpLimits;
import io.phasewise.common.http.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Answers a query by the first key that its text contains; nothing is found otherwise. */
public final class FakePrometheus implements AutoCloseable {

    private final Map<String, String> results = new LinkedHashMap<>();
    private final HttpEndpoint server;

    public FakePrometheus() throws IOException {
        Duration bound = Duration.ofSeconds(30);
        server = HttpEndpoint.named("prometheus")
                .limits(new HttpLimits(2, bound, bound, 1 << 20))
                .post("/api/v1/query", this::answer)
                .post("/api/v1/query_range", this::answer)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.start();
    }

    private Answer answer(Request request) {
        String query = URLDecoder.decode(new String(request.body(), StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        String result = results.entrySet().stream()
                .filter(each -> query.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("\"vector\",\"result\":[]");
        return Answer.text(200, "{\"status\":\"success\",\"data\":{\"resultType\":" + result + "}}");
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
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Override
    public void close() {
        server.close();
    }
}
