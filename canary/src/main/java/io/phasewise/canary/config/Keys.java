/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which keys there are: the components of the records that are bound, in kebab case. */
final class Keys {
    /** What is special about the records of a map. */
    @Target(ElementType.FIELD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Entries {
        /** Keys of the records that cannot be given in this place. */
        String[] without();

        /** An entry that is there whether it is given or not. */
        String always() default "";

        /** The one key of that entry. */
        String only() default "";
    }

    private Keys() {}

    /** The keys of a record, sorted, each with its component. */
    static Map<String, Field> of(Class<?> type, Set<String> without) {
        Map<String, Field> keys = new TreeMap<>();
        for (var component : type.getRecordComponents()) {
            Field field = field(type, component.getName());
            if (isUnwrapped(field)) {
                keys.putAll(of(field.getType(), without));
            } else if (!without.contains(name(field))) {
                keys.put(name(field), field);
            }
        }
        return keys;
    }

    /** The component of that name in the code. */
    static Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            throw new IllegalArgumentException(type + " has no component " + name, e);
        }
    }

    /** How the configuration calls a component. */
    static String name(Field field) {
        JsonProperty other = field.getAnnotation(JsonProperty.class);
        return other != null
                ? other.value()
                : field.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Which keys an entry of a map cannot have. */
    static Set<String> without(Field map, String entry) {
        Entries entries = map.getAnnotation(Entries.class);
        if (!entry.equals(entries.always())) {
            return Set.of(entries.without());
        }
        Set<String> all = new TreeSet<>(of(held(map), Set.of()).keySet());
        all.remove(entries.only());
        return all;
    }

    /** The entry that is in a map in any case, if there is one. */
    static Set<String> always(Field map) {
        String always = map.getAnnotation(Entries.class).always();
        return always.isEmpty() ? Set.of() : Set.of(always);
    }

    /** Whether the keys of the component's record stand beside the others. */
    static boolean isUnwrapped(Field field) {
        return field.isAnnotationPresent(JsonUnwrapped.class);
    }

    static boolean isMap(Field field) {
        return Map.class.equals(field.getType());
    }

    /** Whether its value is neither a record nor a map. */
    static boolean isSingle(Field field) {
        return !isMap(field) && !field.getType().isRecord();
    }

    /** The type of a map's values. */
    static Class<?> held(Field map) {
        ParameterizedType type = (ParameterizedType) map.getGenericType();
        return (Class<?>) type.getActualTypeArguments()[1];
    }
}
