/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/** A review as JSON: what is unknown is null, what is without bound the text "infinite". */
final class Json {

    private final ObjectMapper mapper;

    Json() {
        SimpleModule module = new SimpleModule();
        module.addSerializer(Instant.class, ToStringSerializer.instance);
        module.addSerializer(Duration.class, ToStringSerializer.instance);
        module.addSerializer(double.class, new Numbers());
        module.addSerializer(Double.class, new Numbers());
        module.addSerializer(double[].class, new Rows());
        mapper =
                new ObjectMapper()
                        .registerModule(module)
                        .enable(SerializationFeature.INDENT_OUTPUT);
    }

    String of(Object review) {
        try {
            return mapper.writeValueAsString(review) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a review that cannot be written", e);
        }
    }

    private static void number(double value, JsonGenerator out) throws IOException {
        if (Double.isNaN(value)) {
            out.writeNull();
        } else if (Double.isInfinite(value)) {
            out.writeString("infinite");
        } else {
            out.writeNumber(value);
        }
    }

    private static final class Numbers extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            number(value, out);
        }
    }

    private static final class Rows extends JsonSerializer<double[]> {
        @Override
        public void serialize(double[] values, JsonGenerator out, SerializerProvider provider)
                throws IOException {
            out.writeStartArray();
            for (double value : values) {
                number(value, out);
            }
            out.writeEndArray();
        }
    }
}
