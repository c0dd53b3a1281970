/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks a Prometheus server: instant queries and the state of its targets, as far as the launcher
 * and tests need them.
 */
public final class PrometheusClient {

    private static final Duration BOUND = Duration.ofSeconds(10);

    private final URI server;
    private final HttpClient http;
    private final ObjectMapper json = new ObjectMapper();

    /**
     * One element of an instant vector; a native histogram has no single value and is left out of
     * results.
     *
     * @param labels including {@code __name__} where the expression keeps it
     * @param value may be NaN or infinite
     */
    public record Sample(Map<String, String> labels, double value) {}

    /**
     * One scrape target.
     *
     * @param labels after relabelling, {@code job} and {@code instance} among them
     * @param scrapeUrl where it is scraped
     * @param health {@code up}, {@code down} or {@code unknown} (not scraped yet)
     * @param lastError empty when the last scrape went well
     */
    public record Target(
            Map<String, String> labels, String scrapeUrl, String health, String lastError) {

        /** Whether the last scrape went well. */
        public boolean isUp() {
            return health.equals("up");
        }
    }

    /**
     * @param server its address, without a path
     */
    public PrometheusClient(URI server, HttpClient http) {
        this.server = server;
        this.http = http;
    }

    /**
     * Evaluates an expression now.
     *
     * @param expression PromQL that gives an instant vector or a scalar
     * @return the elements; a scalar as one element without labels
     * @throws IOException when the server cannot be reached, refuses, or answers otherwise
     * @throws InterruptedException when interrupted
     */
    public List<Sample> query(String expression) throws IOException, InterruptedException {
        JsonNode data =
                get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        JsonNode result = data.path("result");
        return switch (data.path("resultType").asText()) {
            case "scalar" -> List.of(new Sample(Map.of(), number(result.path(1))));
            case "vector" -> {
                List<Sample> samples = new ArrayList<>();
                for (JsonNode element : result) {
                    if (element.has("value")) {
                        samples.add(
                                new Sample(
                                        labels(element.path("metric")),
                                        number(element.path("value").path(1))));
                    }
                }
                yield List.copyOf(samples);
            }
            default ->
                    throw new IOException(
                            expression
                                    + " gives a "
                                    + data.path("resultType").asText()
                                    + ", not an instant vector");
        };
    }

    /**
     * What it scrapes.
     *
     * @throws IOException when the server cannot be reached or refuses
     * @throws InterruptedException when interrupted
     */
    public List<Target> targets() throws IOException, InterruptedException {
        List<Target> targets = new ArrayList<>();
        for (JsonNode target : get("/api/v1/targets?state=active").path("activeTargets")) {
            targets.add(
                    new Target(
                            labels(target.path("labels")),
                            target.path("scrapeUrl").asText(),
                            target.path("health").asText(),
                            target.path("lastError").asText()));
        }
        return List.copyOf(targets);
    }

    /**
     * How often each recorded metric is; the shortest interval where groups of several record it.
     *
     * @throws IOException when the server cannot be reached or refuses
     * @throws InterruptedException when interrupted
     */
    public Map<String, Duration> recordingIntervals() throws IOException, InterruptedException {
        Map<String, Duration> intervals = new LinkedHashMap<>();
        for (JsonNode group : get("/api/v1/rules?type=record").path("groups")) {
            Duration interval =
                    Duration.ofMillis(Math.round(1e3 * group.path("interval").asDouble()));
            for (JsonNode rule : group.path("rules")) {
                intervals.merge(
                        rule.path("name").asText(),
                        interval,
                        (one, other) -> one.compareTo(other) <= 0 ? one : other);
            }
        }
        return intervals;
    }

    private JsonNode get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(server + path)).timeout(BOUND).build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        JsonNode answer = json.readTree(response.body());
        if (!answer.path("status").asText().equals("success")) {
            throw new IOException(
                    server
                            + " answers "
                            + response.statusCode()
                            + ": "
                            + answer.path("error").asText());
        }
        return answer.path("data");
    }

    private static double number(JsonNode text) {
        return switch (text.asText()) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text.asText());
        };
    }

    private static Map<String, String> labels(JsonNode object) {
        Map<String, String> labels = new LinkedHashMap<>();
        object.properties().forEach(field -> labels.put(field.getKey(), field.getValue().asText()));
        return labels;
    }
}
