/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.it;

import static com.google.protobuf.UnknownFieldSet.newBuilder;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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

    private final HttpClient http;
    private final URI url;
    private final Map<String, String> headers;
    private final boolean twice;
    private final Map<String, UnknownFieldSet.Builder> samples = new LinkedHashMap<>();
    private long millis;

    /**
     * @param headers of each request, such as one that lets in
     */
    RemoteWrite(HttpClient http, URI server, Map<String, String> headers) {
        this(http, server, headers, false);
    }

    private RemoteWrite(HttpClient http, URI server, Map<String, String> headers, boolean twice) {
        this.http = http;
        this.url = URI.create(server + "/api/v1/write");
        this.headers = headers;
        this.twice = twice;
    }

    /**
     * One that sends all as a pair of Prometheus servers would, each with a second job that scrapes
     * the same targets. What rules record has no job.
     */
    static RemoteWrite twice(HttpClient http, URI server) {
        return new RemoteWrite(http, server, Map.of(), true);
    }

    /** When what is added from now on was; never earlier than before. */
    void at(Instant time) {
        millis = time.toEpochMilli();
    }

    /**
     * Adds a number.
     *
     * @param labels as {@code cluster=orders,leader=1}; those without a value are left out, and a comma before a space is part of a value
     */
    void add(String name, String labels, double value) {
        merge(name, labels, 2, newBuilder().addField(1, real(value)).addField(2, whole(millis)));
    }

    /** Adds a native histogram: counts by bucket of schema 6. */
    void add(String name, String labels, TreeMap<Integer, Long> counts, double sum) {
        UnknownFieldSet.Builder histogram = newBuilder()
                .addField(3, real(sum))
                .addField(4, signed(6))
                .addField(5, real(1e-9))
                .addField(6, whole(0))
                .addField(15, whole(millis));
        List<long[]> spans = new ArrayList<>();
        long all = 0;
        long before = 0;
        int next = 0;
        for (Map.Entry<Integer, Long> each : counts.entrySet()) {
            if (spans.isEmpty() || each.getKey() != next) {
                spans.add(new long[] {each.getKey() - next, 0});
            }
            spans.get(spans.size() - 1)[1]++;
            histogram.mergeField(12, signed(each.getValue() - before));
            before = each.getValue();
            all += before;
            next = each.getKey() + 1;
        }
        histogram.addField(1, whole(all));
        for (long[] span : spans) {
            histogram.mergeField(
                    11, message(newBuilder().addField(1, signed(span[0])).addField(2, whole(span[1]))));
        }
        merge(name, labels, 4, histogram);
    }

    private void merge(String name, String labels, int field, UnknownFieldSet.Builder sample) {
        if (!twice) {
            samples(name, labels).mergeField(field, message(sample));
            return;
        }
        for (String server : List.of(",prometheus=a", ",prometheus=b")) {
            samples(name, labels + server).mergeField(field, message(sample));
            if (labels.contains(",job=")) {
                String second = labels.replaceFirst("job=[^,]+", "job=kubernetes-pods");
                samples(name, second + server).mergeField(field, message(sample));
            }
        }
    }

    /** Sends what was added. */
    void flush() throws IOException, InterruptedException {
        UnknownFieldSet.Builder request = newBuilder();
        samples.forEach((labels, series) -> {
            Stream.of(labels.split(",(?! )"))
                    .map(label -> label.split("=", 2))
                    .filter(label -> !label[1].isEmpty())
                    .sorted(Comparator.comparing(label -> label[0]))
                    .map(label -> newBuilder().addField(1, text(label[0])).addField(2, text(label[1])))
                    .forEach(label -> series.mergeField(1, message(label)));
            request.mergeField(1, message(series));
        });
        samples.clear();
        HttpRequest.Builder post = HttpRequest.newBuilder(url)
                .header("Content-Type", "application/x-protobuf")
                .header("Content-Encoding", "snappy")
                .header("X-Prometheus-Remote-Write-Version", "0.1.0")
                .POST(HttpRequest.BodyPublishers.ofByteArray(
                        Snappy.compress(request.build().toByteArray())));
        headers.forEach(post::header);
        HttpResponse<String> response = http.send(post.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() / 100 != 2) {
            throw new IOException(response.statusCode() + ": " + response.body());
        }
    }

    private UnknownFieldSet.Builder samples(String name, String labels) {
        return samples.computeIfAbsent("__name__=" + name + "," + labels, any -> UnknownFieldSet.newBuilder());
    }

    private static Field whole(long value) {
        return Field.newBuilder().addVarint(value).build();
    }

    private static Field signed(long value) {
        return whole(CodedOutputStream.encodeZigZag64(value));
    }

    private static Field real(double value) {
        return Field.newBuilder().addFixed64(Double.doubleToLongBits(value)).build();
    }

    private static Field text(String value) {
        return Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8(value))
                .build();
    }

    private static Field message(UnknownFieldSet.Builder fields) {
        return Field.newBuilder()
                .addLengthDelimited(fields.build().toByteString())
                .build();
    }
}
