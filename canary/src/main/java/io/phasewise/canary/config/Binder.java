/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.EnumNamingStrategies;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ElementKind;
import jakarta.validation.Path.Node;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.validator.HibernateValidator;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;

/**
 * Binds texts to records: Jackson converts them, Hibernate Validator checks them by the constraints
 * on the records' components, and every fault is told with key, value and what is allowed.
 */
final class Binder {
    private static final Set<Class<?>> WHOLE = Set.of(int.class, long.class, OptionalLong.class);

    private final ObjectMapper mapper =
            JsonMapper.builder()
                    .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
                    .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
                    .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .addModules(
                            new Jdk8Module(),
                            text(Duration.class, Binder::duration),
                            text(Path.class, Path::of))
                    .build();
    private final Validator validator =
            Validation.byProvider(HibernateValidator.class)
                    .configure()
                    .ignoreXmlConfiguration()
                    .messageInterpolator(new ParameterMessageInterpolator())
                    .buildValidatorFactory()
                    .getValidator();

    /**
     * Binds what is given on top of what applies otherwise. A value that is refused is taken out,
     * so that what applies otherwise does, and all that is wrong is found.
     *
     * @param otherwise inherited values and defaults; sound, and complete where components must be
     */
    <T> T bind(Class<T> type, Section given, ObjectNode otherwise) {
        while (true) {
            int before = given.faults().count();
            try {
                T bound = mapper.treeToValue(Section.merged(otherwise, given.own()), type);
                validator.validate(bound).forEach(violation -> refuse(type, given, violation));
                if (given.faults().count() == before) {
                    return bound;
                }
            } catch (InvalidFormatException e) {
                given.refuse(
                        e.getPath().stream()
                                .map(Reference::getFieldName)
                                .collect(Collectors.joining(".")),
                        Faults.quote(e.getValue().toString()) + unconverted(e));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e); // all others are refused before
            }
        }
    }

    private static String unconverted(InvalidFormatException e) {
        Reference last = e.getPath().get(e.getPath().size() - 1);
        Field key = Keys.of((Class<?>) last.getFrom(), Set.of()).get(last.getFieldName());
        Class<?> type = e.getTargetType();
        if (type.isEnum()) {
            return " is not allowed; allowed: "
                    + Arrays.stream(type.getEnumConstants())
                            .map(
                                    value ->
                                            value.toString()
                                                    .toLowerCase(Locale.ROOT)
                                                    .replace('_', '-'))
                            .collect(Collectors.joining(", "));
        }
        if (type == boolean.class) {
            return " is not allowed; allowed: true, false";
        }
        if (type == Path.class) {
            return " is not the name of a file";
        }
        Within within = key.getAnnotation(Within.class);
        return (type == Duration.class
                        ? " is not a duration (a number and us, ms, s, m or h)"
                        : WHOLE.contains(key.getType())
                                ? " is not a whole number"
                                : " is not a number")
                + "; allowed: "
                + within.message().replace("{value}", within.value());
    }

    private static void refuse(Class<?> type, Section given, ConstraintViolation<?> violation) {
        List<String> path = new ArrayList<>();
        Class<?> record = type;
        for (Node node : violation.getPropertyPath()) {
            if (node.getKind() == ElementKind.PROPERTY) {
                Field field = Keys.field(record, node.getName());
                if (!Keys.isUnwrapped(field)) {
                    path.add(Keys.name(field));
                }
                record = field.getType();
            }
        }
        String key = String.join(".", path);
        boolean range = violation.getConstraintDescriptor().getAnnotation() instanceof Within;
        given.refuse(
                key,
                (range
                                ? given.text(key) + " is out of range"
                                : Faults.quote(given.text(key)) + " is not allowed")
                        + "; allowed: "
                        + violation.getMessage());
    }

    private static Duration duration(String text) {
        return Durations.parse(text).orElseThrow(IllegalArgumentException::new);
    }

    private static <T> SimpleModule text(Class<T> type, Function<String, T> conversion) {
        FromStringDeserializer<T> deserializer =
                new FromStringDeserializer<>(type) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected T _deserialize(String text, DeserializationContext context) {
                        return conversion.apply(text);
                    }
                };
        return new SimpleModule(type.getName()).addDeserializer(type, deserializer);
    }
}
