/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.phasewise.common.file.JarResource;
import io.phasewise.report.fleet.Fleet;
import io.phasewise.report.review.Review;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Function;

/** Reviews to write, with a bit of everything: review.json and fleet.json. */
final class SampleReview {
    private static final SimpleModule TIMES = new SimpleModule()
            .addSerializer(Instant.class, ToStringSerializer.instance)
            .addSerializer(Duration.class, ToStringSerializer.instance)
            .addDeserializer(Instant.class, new Parser<>(Instant.class, Instant::parse))
            .addDeserializer(Duration.class, new Parser<>(Duration.class, Duration::parse));
    private static final ObjectMapper JSON = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .registerModule(TIMES);

    private SampleReview() {}

    private static final class Parser<T> extends FromStringDeserializer<T> {
        private static final long serialVersionUID = 1;
        private final transient Function<String, T> parse;

        Parser(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        protected T _deserialize(String text, DeserializationContext context) {
            return parse.apply(text);
        }
    }

    /** The review of one cluster. */
    static Review review() throws IOException {
        return review(Map.of());
    }

    /**
     * The same with changes.
     *
     * @param changes values by where they are, for example /facts/starvedUnknown
     */
    static Review review(Map<String, Object> changes) throws IOException {
        ObjectNode review = (ObjectNode) JSON.readTree(text("review.json"));
        changes.forEach((place, value) -> {
            JsonPointer pointer = JsonPointer.compile(place);
            ((ObjectNode) review.at(pointer.head())).set(pointer.last().getMatchingProperty(), JSON.valueToTree(value));
        });
        return JSON.treeToValue(review, Review.class);
    }

    /** The review of three clusters, of which the first is worst, and one that is not measured. */
    static Fleet fleet() throws IOException {
        return JSON.readValue(text("fleet.json"), Fleet.class);
    }

    /** A file beside this class. */
    static String text(String file) {
        return JarResource.text(SampleReview.class, file);
    }
}
