/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.phasewise.canary.show.status.ClusterSuspects;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;

/** Writes the status as JSON. The launcher and scripts read the names that the records have. */
final class StatusJson {
    /** The version of what is served at /suspects. */
    static final int SUSPECTS_VERSION = 1;

    private final ObjectMapper mapper = JsonMapper.builder()
            .enumNamingStrategy(EnumNamingStrategies.SNAKE_CASE)
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule()
                    .addSerializer(Instant.class, ToStringSerializer.instance)
                    .addSerializer(new NumberOrNull(Double.class))
                    .addSerializer(new NumberOrNull(double.class)))
            .build();

    /** Whether the canary is ready, and why it is not. */
    record Readiness(boolean ready, List<String> reasons) {}

    /**
     * Who is suspected.
     *
     * @param version of the form; a reader of another one cannot rely on what it finds
     */
    record Suspects(int version, List<ClusterSuspects> clusters) {}

    /** JSON knows no NaN: no probes, no percentile. */
    private static final class NumberOrNull extends StdSerializer<Double> {
        private static final long serialVersionUID = 1L;

        private NumberOrNull(Class<Double> type) {
            super(type);
        }

        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider) throws IOException {
            if (value.isNaN()) {
                json.writeNull();
            } else {
                json.writeNumber(value);
            }
        }
    }

    byte[] write(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
