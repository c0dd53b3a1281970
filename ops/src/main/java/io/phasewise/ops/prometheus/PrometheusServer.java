/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Asks a Prometheus, or what speaks its API, for values. */
final class PrometheusServer {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final String url;
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(BOUND).build();
    private final ObjectMapper json = new ObjectMapper();

    /**
     * A value of a series.
     *
     * @param labels without those that the expression drops
     * @param time seconds since 1970
     * @param value may be NaN or infinite
     */
    record Sample(Map<String, String> labels, double time, double value) {}

    PrometheusServer(URI url) {
        this.url = url.toString().replaceAll("/+$", "");
    }

    /**
     * Evaluates an expression now, by the server's clock.
     *
     * @throws IOException when the server cannot be reached or refuses; the message names it
     */
    List<Sample> query(String expression) throws IOException, InterruptedException {
        return get("/api/v1/query?query=" + encode(expression), "value");
    }

    /**
     * Evaluates an expression again and again.
     *
     * @param start seconds since 1970
     * @param end seconds since 1970, included
     * @param step seconds
     * @throws IOException when the server cannot be reached or refuses; the message names it
     */
    List<Sample> range(String expression, double start, double end, double step)
            throws IOException, InterruptedException {
        return get(
                "/api/v1/query_range?query="
                        + encode(expression)
                        + "&start="
                        + start
                        + "&end="
                        + end
                        + "&step="
                        + step,
                "values");
    }

    private List<Sample> get(String path, String field) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).timeout(BOUND).build();
        JsonNode answer;
        try {
            answer = json.readTree(http.send(request, BodyHandlers.ofString()).body());
        } catch (IOException unusable) {
            throw new IOException(url + " gives no answer of Prometheus: " + unusable, unusable);
        }
        if (!answer.path("status").asText().equals("success")) {
            throw new IOException(url + " refuses: " + answer.path("error").asText());
        }
        List<Sample> samples = new ArrayList<>();
        JsonNode result = answer.at("/data/result");
        if (answer.at("/data/resultType").asText().equals("scalar")) {
            samples.add(sample(Map.of(), result));
        } else {
            for (JsonNode series : result) {
                Map<String, String> labels = new HashMap<>();
                series.path("metric")
                        .properties()
                        .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
                JsonNode values = series.path(field);
                if (field.equals("value")) {
                    samples.add(sample(labels, values));
                } else {
                    values.forEach(value -> samples.add(sample(labels, value)));
                }
            }
        }
        return samples;
    }

    private static Sample sample(Map<String, String> labels, JsonNode pair) {
        String value = pair.path(1).asText().replace("Inf", "Infinity");
        return new Sample(labels, pair.path(0).asDouble(), Double.parseDouble(value));
    }

    private static String encode(String expression) {
        return URLEncoder.encode(expression, StandardCharsets.UTF_8);
    }
}
