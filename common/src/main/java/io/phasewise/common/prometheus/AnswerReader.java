/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

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
    <T> Answer<T> series(InputStream in, SeriesReader<T> each) throws IOException {
        return answer(in, (parser, all) -> data(parser, all, each));
    }

    /** The texts of a list, as label values come. */
    Answer<String> texts(InputStream in) throws IOException {
        return answer(in, AnswerReader::list);
    }

    /** The data of an answer that is small. */
    JsonNode data(InputStream in) throws IOException {
        return trees.readTree(in).path("data");
    }

    private <E> Answer<E> answer(InputStream in, Data<E> reader) throws IOException {
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
    private <T> void data(JsonParser parser, List<T> all, SeriesReader<T> each) throws IOException {
        expect(parser.currentToken(), JsonToken.START_OBJECT);
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean result = parser.currentName().equals("result");
            JsonToken token = parser.nextToken();
            if (result && token == JsonToken.START_ARRAY) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    all.add(each.read(trees.<JsonNode>readTree(parser)));
                }
            } else {
                parser.skipChildren();
            }
        }
    }

    private static void expect(JsonToken found, JsonToken expected) throws IOException {
        if (found != expected) {
            throw new IOException("unexpected answer: " + found + " instead of " + expected);
        }
    }
}
