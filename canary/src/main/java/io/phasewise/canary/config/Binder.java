/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import static com.fasterxml.jackson.annotation.JsonSetter.Value.forValueNulls;
import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.KebabCaseStrategy;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.phasewise.common.time.Durations;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Binds texts to records: Jackson converts them, {@link Bounds} and {@link Form} of the records'
 * components say what is allowed, and every fault is reported with key, value and what is allowed.
 */
final class Binder {
    private static final KebabCaseStrategy KEBAB_CASE = new KebabCaseStrategy();

    private final ObjectMapper mapper = JsonMapper.builder()
            .propertyNamingStrategy(KEBAB_CASE)
            .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
            .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .withConfigOverride(Map.class, m -> m.setSetterInfo(forValueNulls(AS_EMPTY)))
            .addModules(
                    new Jdk8Module(),
                    text(Duration.class, Durations::parse),
                    text(Path.class, Path::of),
                    text(URI.class, TracesConfig::endpoint))
            .build();

    /**
     * Binds what is given on top of {@code otherwise}. A value that is refused is taken out, so
     * that {@code otherwise} applies in its place and all further faults are found, too.
     *
     * @param otherwise inherited values and defaults; without faults, and with a value for each
     *     component that must have one
     */
    <T extends Record> T bind(Class<T> type, Section given, ObjectNode otherwise) {
        while (true) {
            int before = given.faults().size();
            try {
                T bound = mapper.treeToValue(Section.merged(otherwise, given.own()), type);
                check(bound, "", given);
                if (given.faults().size() == before) {
                    return bound;
                }
            } catch (InvalidFormatException e) {
                List<String> path =
                        e.getPath().stream().map(Reference::getFieldName).toList();
                given.refuse(String.join(".", path), unconverted(e));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e); // the other faults were refused earlier
            }
        }
    }

    private String unconverted(InvalidFormatException e) {
        Class<?> type = e.getTargetType();
        String text = e.getValue().toString();
        if (type == URI.class) {
            // Somebody may have put a password or a token in.
            boolean mayBeSecret = text.contains("@") || text.contains("?");
            String shown = mayBeSecret ? "its value" : Section.quote(text);
            return shown + " is not allowed; allowed: " + TracesConfig.ENDPOINT;
        }
        if (type == boolean.class || type.isEnum()) {
            Object[] values = type.isEnum() ? type.getEnumConstants() : new Object[] {true, false};
            String[] names = mapper.convertValue(values, String[].class);
            return Section.quote(text) + " is not allowed; allowed: " + String.join(", ", names);
        }
        if (type == Path.class) {
            return Section.quote(text) + " is not the name of a file";
        }
        RecordComponent component = component(e.getPath().get(e.getPath().size() - 1));
        String number = component.getType() == double.class ? "number" : "whole number";
        String duration = "duration (" + Durations.FORM + ")";
        return "\"%s\" is not a %s; allowed: %s"
                .formatted(
                        text,
                        type == Duration.class ? duration : number,
                        bounds(component).orElseThrow().allowed());
    }

    private static Optional<Bounds.Check> bounds(RecordComponent component) {
        return Optional.ofNullable(component.getAnnotation(Bounds.class)).map(Bounds.Check::of);
    }

    private static RecordComponent component(Reference key) {
        return Arrays.stream(((Class<?>) key.getFrom()).getRecordComponents())
                .filter(each -> KEBAB_CASE.translate(each.getName()).equals(key.getFieldName()))
                .findFirst()
                .orElseThrow();
    }

    /** Refuses each value that is not allowed, in a record and in the records that it holds. */
    private static void check(Record bound, String at, Section given) {
        for (RecordComponent component : bound.getClass().getRecordComponents()) {
            String key = at + KEBAB_CASE.translate(component.getName());
            Optional<Bounds.Check> bounds = bounds(component);
            Form form = component.getAnnotation(Form.class);
            Object value = value(bound, component);
            if (value instanceof Record below) {
                check(below, component.isAnnotationPresent(JsonUnwrapped.class) ? at : key + ".", given);
            } else if (value != null && bounds.isPresent() && !bounds.get().allows(value)) {
                given.refuseRange(key, bounds.get().allowed());
            } else if (value != null && form != null && !value.toString().matches(form.value())) {
                given.refuseText(key, form.allowed());
            }
        }
    }

    /** What a component holds; null where it is empty. */
    private static Object value(Record bound, RecordComponent component) {
        try {
            Object value = component.getAccessor().invoke(bound);
            return value instanceof Optional<?> optional ? optional.orElse(null) : value;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e); // an accessor of ours that throws
        }
    }

    private static <T> SimpleModule text(Class<T> type, Function<String, T> conversion) {
        FromStringDeserializer<T> deserializer = new FromStringDeserializer<>(type) {
            private static final long serialVersionUID = 1L;

            @Override
            protected T _deserialize(String text, DeserializationContext context) {
                return conversion.apply(text);
            }
        };
        return new SimpleModule(type.getName()).addDeserializer(type, deserializer);
    }
}
