/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Histogram.Bucket;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Reads an answer of the query API as it arrives, one series after the other: an answer may be many
 * times larger than what is kept of it.
 */
final class AnswerReader {

    private final JsonFactory json = new JsonFactory();
    private final ObjectMapper trees = new ObjectMapper();

    /**
     * The series of a matrix or of a vector.
     *
     * @throws IOException when the connection breaks or the answer is not what the API promises
     */
    Answer<List<Series>> series(InputStream in) throws IOException {
        return answer(in, this::data);
    }

    /** The texts of a list, as label values come. */
    Answer<List<String>> texts(InputStream in) throws IOException {
        return answer(in, AnswerReader::list);
    }

    /**
     * Of the list of stores that Thanos gives, those that did not answer it, each with what it
     * said.
     */
    List<String> storesAway(InputStream in) throws IOException {
        List<String> away = new ArrayList<>();
        for (JsonNode kind : trees.readTree(in).path("data")) {
            for (JsonNode store : kind) {
                String error = store.path("lastError").asText("");
                if (!error.isEmpty() && !store.path("lastError").isNull()) {
                    away.add("store " + store.path("name").asText() + " is away: " + error);
                }
            }
        }
        return away;
    }

    private <E> Answer<List<E>> answer(InputStream in, Data<E> reader) throws IOException {
        List<E> all = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        try (JsonParser parser = json.createParser(in)) {
            expect(parser.nextToken(), JsonToken.START_OBJECT);
            boolean seen = false;
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                if (name.equals("data")) {
                    seen = true;
                    reader.read(parser, all);
                } else if (name.equals("warnings") && token == JsonToken.START_ARRAY) {
                    list(parser, warnings);
                } else if (name.equals("isPartial") && token == JsonToken.VALUE_TRUE) {
                    // So VictoriaMetrics says it.
                    warnings.add("isPartial");
                } else {
                    parser.skipChildren();
                }
            }
            if (!seen) {
                throw new IOException("an answer without data");
            }
        }
        // Thanos sends what is no more than a remark among the warnings.
        warnings.removeIf(text -> text.startsWith("PromQL info:"));
        return new Answer<>(all, warnings);
    }

    /**
     * Reads the data of an answer; the parser stands at its first token, and is left at its last.
     */
    private interface Data<E> {
        void read(JsonParser parser, List<E> all) throws IOException;
    }

    private static void list(JsonParser parser, List<String> all) throws IOException {
        // Thanos sends null for an empty list.
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                all.add(parser.getText());
            }
        }
    }

    /** One series at a time. */
    private void data(JsonParser parser, List<Series> all) throws IOException {
        expect(parser.currentToken(), JsonToken.START_OBJECT);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean result = parser.currentName().equals("result");
            JsonToken token = parser.nextToken();
            if (result && token == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    all.add(series(trees.<JsonNode>readTree(parser)));
                }
            } else {
                parser.skipChildren();
            }
        }
    }

    private static Series series(JsonNode one) throws IOException {
        Map<String, String> labels = new LinkedHashMap<>();
        one.path("metric")
                .properties()
                .forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        NavigableMap<Instant, Double> values = new TreeMap<>();
        NavigableMap<Instant, Histogram> histograms = new TreeMap<>();
        if (one.has("value")) {
            values.put(time(one.get("value")), number(one.get("value").path(1)));
        }
        for (JsonNode sample : one.path("values")) {
            values.put(time(sample), number(sample.path(1)));
        }
        if (one.has("histogram")) {
            histograms.put(time(one.get("histogram")), histogram(one.get("histogram").path(1)));
        }
        for (JsonNode sample : one.path("histograms")) {
            histograms.put(time(sample), histogram(sample.path(1)));
        }
        return new Series(labels, values, histograms);
    }

    /** A bucket is which of its ends belong to it, where it begins and ends, and how many. */
    private static Histogram histogram(JsonNode told) throws IOException {
        List<Bucket> buckets = new ArrayList<>();
        for (JsonNode bucket : told.path("buckets")) {
            // The bucket around 0 begins below it; no latency does.
            double begin = Math.max(0, number(bucket.path(1)));
            double end = number(bucket.path(2));
            double count = number(bucket.path(3));
            if (count > 0 && end > begin) {
                buckets.add(new Bucket(begin, end, count));
            }
        }
        return Histogram.of(buckets, told.has("sum") ? number(told.get("sum")) : Double.NaN);
    }

    private static Instant time(JsonNode sample) throws IOException {
        if (!sample.isArray() || !sample.path(0).isNumber()) {
            throw new IOException("an answer of another shape: a sample without a time");
        }
        return Instant.ofEpochMilli(Math.round(1000 * sample.path(0).asDouble()));
    }

    private static double number(JsonNode told) throws IOException {
        try {
            return switch (told.asText()) {
                case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(told.asText());
            };
        } catch (NumberFormatException e) {
            throw new IOException("an answer of another shape: " + told + " for a number", e);
        }
    }

    private static void expect(JsonToken found, JsonToken expected) throws IOException {
        if (found != expected) {
            throw new IOException("an answer of another shape: " + found + " for " + expected);
        }
    }
}
