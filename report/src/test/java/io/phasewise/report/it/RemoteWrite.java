/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.xerial.snappy.Snappy;

/**
 * Sends samples to a Prometheus by its remote-write protocol 1.0, native histograms among them:
 * what promtool cannot make blocks of.
 */
final class RemoteWrite {

    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;

    private final HttpClient http;
    private final URI url;
    private final Map<String, String> headers;
    private final Map<String, ByteArrayOutputStream> samples = new LinkedHashMap<>();
    private long millis;

    /**
     * @param headers of each request, such as one that lets in
     */
    RemoteWrite(HttpClient http, URI server, Map<String, String> headers) {
        this.http = http;
        this.url = URI.create(server + "/api/v1/write");
        this.headers = headers;
    }

    /** When what is added from now on was; never earlier than before. */
    void at(Instant time) {
        millis = time.toEpochMilli();
    }

    /**
     * Adds a number.
     *
     * @param labels as {@code cluster=orders,leader=1}; those without a value are left out
     */
    void add(String name, String labels, double value) {
        ByteArrayOutputStream sample = new ByteArrayOutputStream();
        fixed(sample, 1, value);
        varint(sample, 2, millis);
        message(samples(name, labels), 2, sample);
    }

    /** Adds a native histogram: counts by bucket of schema 6. */
    void add(String name, String labels, TreeMap<Integer, Long> counts, double sum) {
        ByteArrayOutputStream histogram = new ByteArrayOutputStream();
        long all = 0;
        List<long[]> spans = new ArrayList<>();
        ByteArrayOutputStream deltas = new ByteArrayOutputStream();
        long before = 0;
        int next = 0;
        for (Map.Entry<Integer, Long> each : counts.entrySet()) {
            if (spans.isEmpty() || each.getKey() != next) {
                spans.add(new long[] {each.getKey() - next, 0});
            }
            spans.get(spans.size() - 1)[1]++;
            raw(deltas, zigzag(each.getValue() - before));
            before = each.getValue();
            all += before;
            next = each.getKey() + 1;
        }
        varint(histogram, 1, all);
        fixed(histogram, 3, sum);
        varint(histogram, 4, zigzag(6));
        fixed(histogram, 5, 1e-9);
        varint(histogram, 6, 0);
        for (long[] span : spans) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            varint(bytes, 1, zigzag(span[0]));
            varint(bytes, 2, span[1]);
            message(histogram, 11, bytes);
        }
        message(histogram, 12, deltas);
        varint(histogram, 15, millis);
        message(samples(name, labels), 4, histogram);
    }

    /** Sends what was added. */
    void flush() throws IOException, InterruptedException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        samples.forEach(
                (labels, values) -> {
                    ByteArrayOutputStream series = new ByteArrayOutputStream();
                    Stream.of(labels.split(","))
                            .map(label -> label.split("=", 2))
                            .filter(label -> !label[1].isEmpty())
                            .sorted(Comparator.comparing(label -> label[0]))
                            .forEach(
                                    label -> {
                                        ByteArrayOutputStream pair = new ByteArrayOutputStream();
                                        text(pair, 1, label[0]);
                                        text(pair, 2, label[1]);
                                        message(series, 1, pair);
                                    });
                    series.writeBytes(values.toByteArray());
                    message(request, 1, series);
                });
        samples.clear();
        HttpRequest.Builder post =
                HttpRequest.newBuilder(url)
                        .header("Content-Type", "application/x-protobuf")
                        .header("Content-Encoding", "snappy")
                        .header("X-Prometheus-Remote-Write-Version", "0.1.0")
                        .POST(
                                HttpRequest.BodyPublishers.ofByteArray(
                                        Snappy.compress(request.toByteArray())));
        headers.forEach(post::header);
        HttpResponse<String> response =
                http.send(post.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw new IOException(response.statusCode() + ": " + response.body());
        }
    }

    private ByteArrayOutputStream samples(String name, String labels) {
        return samples.computeIfAbsent(
                "__name__=" + name + "," + labels, any -> new ByteArrayOutputStream());
    }

    private static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    private static void varint(ByteArrayOutputStream out, int field, long value) {
        raw(out, (long) field << 3 | VARINT);
        raw(out, value);
    }

    private static void fixed(ByteArrayOutputStream out, int field, double value) {
        raw(out, (long) field << 3 | FIXED64);
        out.writeBytes(
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array());
    }

    private static void text(ByteArrayOutputStream out, int field, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        raw(out, (long) field << 3 | BYTES);
        raw(out, bytes.length);
        out.writeBytes(bytes);
    }

    private static void message(ByteArrayOutputStream out, int field, ByteArrayOutputStream body) {
        raw(out, (long) field << 3 | BYTES);
        raw(out, body.size());
        out.writeBytes(body.toByteArray());
    }

    private static void raw(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
