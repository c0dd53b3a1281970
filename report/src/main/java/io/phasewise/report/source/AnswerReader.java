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
 * Reads an answer of the query API as it arrives, without holding its text: an answer may be many
 * times larger than what is kept of it.
 */
final class AnswerReader {

    private final JsonFactory json = new JsonFactory();
    private final ObjectMapper stores = new ObjectMapper();

    /**
     * The series of a matrix or of a vector.
     *
     * @throws IOException when the connection breaks or the answer is not what the API promises
     */
    Answer<List<Series>> series(InputStream in) throws IOException {
        return answer(in, AnswerReader::data);
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
        for (JsonNode kind : stores.readTree(in).path("data")) {
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

    private static void data(JsonParser parser, List<Series> all) throws IOException {
        expect(parser.currentToken(), JsonToken.START_OBJECT);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean result = parser.currentName().equals("result");
            JsonToken token = parser.nextToken();
            if (result && token == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    all.add(one(parser));
                }
            } else {
                parser.skipChildren();
            }
        }
    }

    private static Series one(JsonParser parser) throws IOException {
        Map<String, String> labels = new LinkedHashMap<>();
        NavigableMap<Instant, Double> values = new TreeMap<>();
        NavigableMap<Instant, Histogram> histograms = new TreeMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "metric" -> {
                    while (parser.nextToken() == JsonToken.FIELD_NAME) {
                        String label = parser.currentName();
                        labels.put(label, parser.nextTextValue());
                    }
                }
                case "value" -> value(parser, values);
                case "values" -> {
                    while (parser.nextToken() == JsonToken.START_ARRAY) {
                        value(parser, values);
                    }
                }
                case "histogram" -> histogram(parser, histograms);
                case "histograms" -> {
                    while (parser.nextToken() == JsonToken.START_ARRAY) {
                        histogram(parser, histograms);
                    }
                }
                default -> parser.skipChildren();
            }
        }
        return new Series(labels, values, histograms);
    }

    /**
     * The parser stands at the opening bracket of a time and a value, and is left at the closing
     * one.
     */
    private static void value(JsonParser parser, NavigableMap<Instant, Double> values)
            throws IOException {
        Instant at = time(parser);
        parser.nextToken();
        values.put(at, number(parser.getText()));
        expect(parser.nextToken(), JsonToken.END_ARRAY);
    }

    private static void histogram(JsonParser parser, NavigableMap<Instant, Histogram> histograms)
            throws IOException {
        Instant at = time(parser);
        double sum = Double.NaN;
        List<Bucket> buckets = new ArrayList<>();
        expect(parser.nextToken(), JsonToken.START_OBJECT);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            if (name.equals("sum")) {
                sum = number(parser.getText());
            } else if (name.equals("buckets")) {
                while (parser.nextToken() == JsonToken.START_ARRAY) {
                    bucket(parser, buckets);
                }
            } else {
                parser.skipChildren();
            }
        }
        histograms.put(at, Histogram.of(buckets, sum));
        expect(parser.nextToken(), JsonToken.END_ARRAY);
    }

    /**
     * A bucket is which of its ends belong to it, where it begins and ends, and how many are in it.
     */
    private static void bucket(JsonParser parser, List<Bucket> buckets) throws IOException {
        parser.nextToken();
        parser.nextToken();
        double lower = number(parser.getText());
        parser.nextToken();
        double upper = number(parser.getText());
        parser.nextToken();
        double count = number(parser.getText());
        expect(parser.nextToken(), JsonToken.END_ARRAY);
        // The bucket around 0 begins below it; no latency does.
        double begin = Math.max(0, lower);
        if (count > 0 && upper > begin) {
            buckets.add(new Bucket(begin, upper, count));
        }
    }

    private static Instant time(JsonParser parser) throws IOException {
        parser.nextToken();
        return Instant.ofEpochMilli(Math.round(1000 * parser.getDoubleValue()));
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static void expect(JsonToken found, JsonToken expected) throws IOException {
        if (found != expected) {
            throw new IOException("an answer of another shape: " + found + " for " + expected);
        }
    }
}
