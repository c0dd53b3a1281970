/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.common.client.BoundedClient;
import io.phasewise.common.client.StreamedAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Asks a Prometheus, or another server with its API, one question at a time. Whether to ask again,
 * or for less at once, is left to the caller. For use by any number of threads.
 *
 * <p>Every question throws {@link RefusedException} when the server refuses it, and another {@link
 * IOException} when there is no answer or an unreadable one: its message names the server, its
 * cause is what failed.
 */
public final class PrometheusClient {

    private static final int REFUSAL_BYTES = 1 << 16;

    /** Limit for an answer that is read one series at a time; what is kept of it is smaller. */
    private static final long MOST_BYTES = 1L << 30;

    /** Limit for an answer that is held in memory as a whole. */
    private static final long MOST_TREE_BYTES = 32L << 20;

    private static final int SHOWN_CHARACTERS = 300;

    private final Access access;
    private final BoundedClient http;
    private final AnswerReader reader = new AnswerReader();

    private interface Parser<T> {
        T parse(InputStream body) throws IOException;
    }

    /**
     * @param http as {@link Access#client} makes it
     */
    public PrometheusClient(Access access, HttpClient http) {
        this.access = access;
        this.http = new BoundedClient(http);
    }

    /** For a server that needs no login. */
    public static PrometheusClient open(URI server) {
        return new PrometheusClient(Access.open(server), Access.plain().build());
    }

    /**
     * Evaluates an expression now, by the server's clock. Returns the elements that are numbers.
     */
    public List<Sample> query(String expression) throws IOException, InterruptedException {
        return samples("query", Map.of("query", expression));
    }

    /**
     * Evaluates an expression at each step of a range of time. Returns the values that are numbers.
     *
     * @param end included
     */
    public List<Sample> range(String expression, Instant start, Instant end, Duration step)
            throws IOException, InterruptedException {
        return samples(
                "query_range",
                Map.of(
                        "query", expression,
                        "start", seconds(start.toEpochMilli()),
                        "end", seconds(end.toEpochMilli()),
                        "step", seconds(step.toMillis())));
    }

    private List<Sample> samples(String path, Map<String, String> form) throws IOException, InterruptedException {
        List<Sample> all = new ArrayList<>();
        series(path, form, Sample::of).content.forEach(all::addAll);
        return all;
    }

    /**
     * The series of a query, of which one at a time is held as the API gives it.
     *
     * @param path {@code query} or {@code query_range}
     * @param form what is asked
     */
    public <T> Answer<T> series(String path, Map<String, String> form, SeriesReader<T> each)
            throws IOException, InterruptedException {
        return send(
                access.request(path)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(encoded(form))),
                MOST_BYTES,
                body -> reader.series(body, each));
    }

    /**
     * A list of texts.
     *
     * @param path for instance {@code labels}
     * @param form what is asked
     */
    public Answer<String> texts(String path, Map<String, String> form) throws IOException, InterruptedException {
        return send(access.request(path + "?" + encoded(form)), MOST_BYTES, reader::texts);
    }

    /**
     * What the server says of itself.
     *
     * @param path for instance {@code rules?type=record}
     * @return {@code data} of the answer, which has to fit into memory; never null
     */
    public JsonNode data(String path) throws IOException, InterruptedException {
        return send(access.request(path), MOST_TREE_BYTES, reader::data);
    }

    private <T> T send(HttpRequest.Builder request, long mostBytes, Parser<T> parser)
            throws IOException, InterruptedException {
        if (!access.near()) {
            request.header("Accept-Encoding", "gzip");
        }
        try (StreamedAnswer answer = http.stream(request, BoundedClient.Limits.of(access.patience(), mostBytes))) {
            if (answer.status() == 200) {
                return parser.parse(answer.body());
            }
            byte[] refusal = answer.body().readNBytes(REFUSAL_BYTES);
            throw refused(answer.status(), new String(refusal, StandardCharsets.UTF_8));
        } catch (RefusedException e) {
            throw e;
        } catch (ConnectException e) {
            throw new IOException(
                    access + (isUnknownHost(e) ? ": the host is not known here (DNS, /etc/hosts)" : ": no connection"),
                    e);
        } catch (IOException e) {
            throw new IOException(access + " did not answer as Prometheus does: " + e, e);
        }
    }

    /** The JDK's client says so in a cause only. */
    private static boolean isUnknownHost(Throwable failure) {
        return failure != null && (failure instanceof UnresolvedAddressException || isUnknownHost(failure.getCause()));
    }

    private RefusedException refused(int status, String body) {
        String error = body;
        try {
            error = new ObjectMapper().readTree(body).path("error").asText(body);
        } catch (JsonProcessingException e) {
            // A proxy's own words.
        }
        String shown = error.substring(0, Math.min(error.length(), SHOWN_CHARACTERS));
        return new RefusedException(status, body, access + " answers " + status + ": " + shown);
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.3f", millis / 1e3);
    }

    private static String encoded(Map<String, String> form) {
        return form.entrySet().stream()
                .map(each -> escaped(each.getKey()) + "=" + escaped(each.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
