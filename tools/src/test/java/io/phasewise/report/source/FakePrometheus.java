/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import static java.util.stream.Collectors.joining;

import com.sun.net.httpserver.HttpServer;
import io.phasewise.common.prometheus.Access;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A server on this machine that answers what a test says. */
public final class FakePrometheus implements AutoCloseable {
    private final HttpServer http;

    /**
     * What it is asked.
     *
     * @param form fields of the question; of repeated ones the first
     * @param authorization null where none came
     */
    public record Asked(String path, Map<String, String> form, String authorization) {
        /** A field that is a number. */
        public long number(String field) {
            return Long.parseLong(form.get(field));
        }

        /** How many points each series of a range has. */
        public int points() {
            return (int) ((number("end") - number("start")) / number("step")) + 1;
        }

        /** A series in the range's answer: each point has its number, counted from 0, as value. */
        public String series(String labels) {
            return series(labels, point -> point);
        }

        /** A series in the range's answer. */
        public String series(String labels, Function<Long, Long> valueOfPoint) {
            long start = number("start");
            long step = number("step");
            return LongStream.range(0, points())
                    .mapToObj(n -> "[%d,\"%d\"]".formatted(start + n * step, valueOfPoint.apply(n)))
                    .collect(joining(",", "{\"metric\":{" + labels + "},\"values\":[", "]}"));
        }
    }

    /** What it answers. */
    public record Answer(int status, String body) {
        /** A good one. */
        public static Answer of(String data) {
            return new Answer(200, "{\"status\":\"success\",\"data\":" + data + "}");
        }

        /** A good one to a range. */
        public static Answer matrix(String... series) {
            return of("{\"resultType\":\"matrix\",\"result\":[" + String.join(",", series) + "]}");
        }
    }

    /**
     * Starts one.
     *
     * @param answers null where the connection breaks off
     */
    public FakePrometheus(Function<Asked, Answer> answers) throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", exchange -> {
            try (exchange) {
                byte[] sent = exchange.getRequestBody().readAllBytes();
                URI asked = exchange.getRequestURI();
                String form = sent.length == 0 ? asked.getRawQuery() : new String(sent, StandardCharsets.UTF_8);
                String shown = exchange.getRequestHeaders().getFirst("Authorization");
                Answer answer = answers.apply(new Asked(asked.getPath(), fields(form), shown));
                if (answer != null) {
                    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(answer.status(), body.length);
                    exchange.getResponseBody().write(body);
                }
            }
        });
        http.start();
    }

    private static Map<String, String> fields(String form) {
        return Arrays.stream(form == null ? new String[0] : form.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> URLDecoder.decode(pair[0], StandardCharsets.UTF_8),
                        pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8),
                        (first, next) -> first));
    }

    /** Where it is. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    /** A reader of it. */
    public PrometheusReader reader(PrometheusReader.Pause pause) {
        return new PrometheusReader(Access.open(url()), HttpClient.newHttpClient(), pause);
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
