/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.declared;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.phasewise.common.file.JarResource;
import io.phasewise.common.phase.Phase;
import io.phasewise.common.time.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Binds YAML to records: keys in kebab case, durations as {@code 100ms}. Ranges are checked by the
 * records' constructors, with {@link Allowed}.
 */
public final class Declaration {
    private static final ObjectMapper YAML = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .addMixIn(Phase.class, ByLabel.class)
            .addModules(
                    new Jdk8Module(),
                    new SimpleModule()
                            .addDeserializer(Duration.class, durations())
                            .addKeyDeserializer(Phase.class, phases()))
            .build();

    /** Phases are written by their labels, as everywhere. */
    private abstract static class ByLabel {
        @JsonValue
        abstract String label();
    }

    private Declaration() {}

    /**
     * Merges one mapping into another, key by key at every depth; where both have a key, the given
     * one wins.
     *
     * @param given may be null
     */
    public static void merge(ObjectNode into, JsonNode given) {
        if (given == null) {
            return;
        }
        for (Map.Entry<String, JsonNode> each : given.properties()) {
            if (into.get(each.getKey()) instanceof ObjectNode below
                    && each.getValue().isObject()) {
                merge(below, each.getValue());
            } else {
                into.set(each.getKey(), each.getValue().deepCopy());
            }
        }
    }

    /**
     * Binds a text of YAML to a type.
     *
     * @param name of the file, for messages
     * @throws IllegalArgumentException with the file, the key, the value and what is allowed
     */
    public static <T> T read(String name, String text, Class<T> type) {
        try {
            return YAML.readValue(text, type);
        } catch (JsonProcessingException refused) {
            throw new IllegalArgumentException(name + ": " + refused.getMessage(), refused);
        }
    }

    /**
     * Reads all files of a directory of the jar, in the order of its order.yml.
     *
     * @param directory for example {@code /faults/}
     * @param reading takes a file's name, without its ending, and its text
     */
    public static <T> List<T> all(String directory, BiFunction<String, String, T> reading) {
        String[] names = read("order.yml", text(directory, "order"), String[].class);
        return Stream.of(names)
                .map(name -> reading.apply(name, text(directory, name)))
                .toList();
    }

    private static String text(String directory, String name) {
        return JarResource.text(Declaration.class, directory + name + ".yml");
    }

    private static KeyDeserializer phases() {
        return new KeyDeserializer() {
            @Override
            public Object deserializeKey(String label, DeserializationContext context) throws IOException {
                for (Phase phase : Phase.values()) {
                    if (phase.label().equals(label)) {
                        return phase;
                    }
                }
                return context.handleWeirdKey(Phase.class, label, "no phase");
            }
        };
    }

    private static FromStringDeserializer<Duration> durations() {
        return new FromStringDeserializer<>(Duration.class) {
            private static final long serialVersionUID = 1;

            @Override
            protected Duration _deserialize(String text, DeserializationContext context) throws JsonMappingException {
                if (!Durations.isDuration(text)) {
                    String allowed = "\"%s\" is no duration; allowed: %s".formatted(text, Durations.FORM);
                    throw context.weirdStringException(text, Duration.class, allowed);
                }
                return Durations.parse(text);
            }
        };
    }
}
