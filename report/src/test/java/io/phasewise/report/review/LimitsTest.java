/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.phasewise.common.prometheus.Access;
import io.phasewise.report.source.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole reviews of a server with limits, which hold no more than what the questions are about. */
class LimitsTest {

    private static final Instant TO = Instant.parse("2026-11-01T00:00:00Z");
    private static final int POINTS = 11_000;

    private HttpServer http;
    private int limit;
    private String refusal;
    private int most;
    private int refused;

    @BeforeEach
    void serve() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", this::answer);
        http.start();
        limit = POINTS;
        refusal = "exceeded maximum resolution of 11,000 points per timeseries";
    }

    @AfterEach
    void stop() {
        http.stop(0);
    }

    @Test
    void noQuestionAboutNinetyDaysHasMorePointsThanPrometheusAllows() throws Exception {
        Review review = reviewed(Duration.ofDays(90));
        assertThat(review.latency().form()).isEqualTo(Form.RECORDED_CLASSIC);
        assertThat(review.latency().window().blocks()).isEqualTo(90 * 24);
        assertThat(review.latency().objective().probes()).isEqualTo(90.0 * 24);
        assertThat(refused).isZero();
        assertThat(most).isLessThan(POINTS / 4);
    }

    @Test
    void norHasOneAboutAFleet() throws Exception {
        Fleet fleet =
                new FleetReviewer(access(), server(), Steps.UNTOLD, InstantSource.fixed(TO))
                        .review(
                                new FleetQuestion(
                                        ".*",
                                        "default",
                                        Optional.empty(),
                                        window(Duration.ofDays(90)),
                                        ZoneOffset.UTC));
        assertThat(fleet.members()).singleElement().extracting("cluster").isEqualTo("big");
        assertThat(fleet.members().get(0).objective().probes()).isEqualTo(90.0 * 24);
        assertThat(refused).isZero();
        assertThat(most).isLessThan(POINTS / 4);
    }

    @Test
    void aServerThatAllowsFarFewerSamplesIsReadWhole() throws Exception {
        limit = 5;
        refusal = "query processing would load too many samples into memory in query execution";
        Review review = reviewed(Duration.ofDays(7));
        assertThat(refused).isPositive();
        assertThat(review.latency().objective().probes()).isEqualTo(7.0 * 24);
        assertThat(review.latency().endToEnd().get(0).effective()).isPositive();
    }

    private Review reviewed(Duration length) throws Exception {
        return new Reviewer(access(), server(), Steps.UNTOLD, InstantSource.fixed(TO))
                .review(
                        new Question(
                                "big",
                                "default",
                                Optional.empty(),
                                window(length),
                                Optional.empty(),
                                ZoneOffset.UTC));
    }

    private static Window window(Duration length) {
        return Window.fine(TO.minus(length), TO);
    }

    private Access access() {
        return Access.open(URI.create("http://127.0.0.1:" + http.getAddress().getPort()));
    }

    private Server server() {
        return new Server(access(), HttpClient.newHttpClient(), time -> {});
    }

    /** Classic recorded histograms of a hundred leaders; a single number where one is asked for. */
    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        int status = 200;
        String data;
        if (path.startsWith("/api/v1/label/")) {
            data = labels(path, form(exchange.getRequestURI().getRawQuery()).get("match[]"));
        } else if (path.equals("/api/v1/stores")) {
            data = "{}";
        } else if (path.equals("/api/v1/labels")) {
            data = "[\"cluster\"]";
        } else if (path.endsWith("/query")) {
            data = "{\"resultType\":\"vector\",\"result\":[]}";
        } else {
            Map<String, String> form =
                    form(
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
            long start = Long.parseLong(form.get("start"));
            long step = Long.parseLong(form.get("step"));
            int points = (int) ((Long.parseLong(form.get("end")) - start) / step) + 1;
            most = Math.max(most, points);
            status = points > limit ? 422 : 200;
            refused += points > limit ? 1 : 0;
            data = status == 200 ? matrix(form.get("query"), start, step, points) : "null";
        }
        String body =
                status == 200
                        ? "{\"status\":\"success\",\"data\":" + data + "}"
                        : "{\"status\":\"error\",\"error\":\"" + refusal + "\"}";
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String labels(String path, String selector) {
        List<String> values;
        if (path.contains("/leader/")) {
            values = IntStream.rangeClosed(1, 100).mapToObj(Integer::toString).toList();
        } else if (path.contains("/__name__/")) {
            values =
                    selector.contains("rate5m") && selector.contains("le!=")
                            ? List.of("there")
                            : List.of();
        } else {
            values = List.of(path.contains("/cluster/") ? "big" : "default");
        }
        return values.stream()
                .collect(Collectors.joining("\",\"", "[\"", "\"]"))
                .replace("[\"\"]", "[]");
    }

    private static String matrix(String query, long start, long step, int points) {
        boolean histogram = query.contains("rate5m") && query.contains("by (");
        List<String> les = histogram ? List.of("0.01", "0.1", "+Inf") : List.of("");
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < les.size(); i++) {
            result.append(result.isEmpty() ? "" : ",")
                    .append("{\"metric\":{\"cluster\":\"big\",\"leader\":\"1\",\"broker\":\"1\",")
                    .append("\"phase\":\"commit\",\"verdict\":\"good\",\"le\":\"")
                    .append(les.get(i))
                    .append("\"},\"values\":[");
            for (int point = 0; point < points; point++) {
                result.append(point == 0 ? "" : ",")
                        .append('[')
                        .append(start + point * step)
                        .append(",\"")
                        .append(value(query, i))
                        .append("\"]");
            }
            result.append("]}");
        }
        return "{\"resultType\":\"matrix\",\"result\":[" + result + "]}";
    }

    /** One probe a block, of which none is bad; a thousand in its histograms. */
    private static int value(String query, int bucket) {
        if (query.contains("bad_probes") || query.contains("stalled") || query.contains("lost")) {
            return 0;
        }
        return query.contains("latency_seconds") ? List.of(500, 990, 1000).get(bucket) : 1;
    }

    private static Map<String, String> form(String encoded) {
        return Arrays.stream(encoded.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(
                        Collectors.toMap(
                                pair -> URLDecoder.decode(pair[0], StandardCharsets.UTF_8),
                                pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8),
                                (a, b) -> a));
    }
}
