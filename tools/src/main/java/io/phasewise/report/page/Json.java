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
        mapper = new ObjectMapper().registerModule(module).enable(SerializationFeature.INDENT_OUTPUT);
    }

    String of(Object review) {
        try {
            return mapper.writeValueAsString(review) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a review that cannot be written", e);
        }
    }

    private static final class Numbers extends JsonSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator out, SerializerProvider provider) throws IOException {
            if (value.isNaN()) {
                out.writeNull();
            } else if (value.isInfinite()) {
                out.writeString("infinite");
            } else {
                out.writeNumber(value);
            }
        }
    }
}
