/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A word, and after it {@code name=value} pairs, all without blanks. */
final class KeyValueLine {

    /** So much of a wrong value is repeated. */
    private static final int MOST_REPEATED = 40;

    final String kind;
    private final Map<String, String> values = new LinkedHashMap<>();

    KeyValueLine(String kind) {
        this.kind = kind;
    }

    static KeyValueLine parse(String text) {
        String[] parts = text.split(" ");
        KeyValueLine line = new KeyValueLine(parts.length == 0 ? "" : parts[0]);
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals > 0) {
                line.with(parts[i].substring(0, equals), parts[i].substring(equals + 1));
            }
        }
        return line;
    }

    KeyValueLine with(String name, Object value) {
        values.put(name, value.toString());
        return this;
    }

    KeyValueLine withInstant(String name, long value) {
        return value == MarkPage.UNKNOWN ? this : with(name, value);
    }

    /** Nothing when it is {@link MarkPage#UNKNOWN_ID}. */
    KeyValueLine withId(String name, int id) {
        return id == MarkPage.UNKNOWN_ID ? this : with(name, id);
    }

    /** Nothing when it is false. */
    KeyValueLine withFlag(String name, boolean value) {
        return value ? with(name, true) : this;
    }

    /** Text of any characters. */
    KeyValueLine withText(String name, String value) {
        return with(name, URLEncoder.encode(value, StandardCharsets.UTF_8));
    }

    /** By broker: one instant, and a second one where that is known. */
    KeyValueLine withInstants(String name, SortedMap<Integer, Long> first, Map<Integer, Long> second) {
        return with(
                name,
                first.entrySet().stream()
                        .map(each -> each.getKey() + ":" + each.getValue() + then(second.get(each.getKey())))
                        .collect(Collectors.joining(",")));
    }

    private static String then(Long second) {
        return second == null ? "" : ":" + second;
    }

    /**
     * @throws IllegalArgumentException when it is not there
     */
    String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(kind + " without " + name);
        }
        return value;
    }

    /**
     * Text of any characters; empty when it is not there.
     *
     * @throws IllegalArgumentException when it was not written by {@link #withText}
     */
    String anyText(String name) {
        String value = values.get(name);
        try {
            return value == null ? "" : URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong(name, value, "text");
        }
    }

    /**
     * @throws IllegalArgumentException when it is not there, or no number
     */
    long number(String name) {
        return number(name, text(name));
    }

    /**
     * @throws IllegalArgumentException when it is not there, or no number of 32 bits
     */
    int id(String name) {
        return id(name, text(name));
    }

    /** {@link MarkPage#UNKNOWN_ID} when it is not there. */
    int optionalId(String name) {
        return values.containsKey(name) ? id(name) : MarkPage.UNKNOWN_ID;
    }

    /** False when it is not there. */
    boolean flag(String name) {
        return Boolean.parseBoolean(values.get(name));
    }

    /** Zero when it is not there. */
    long count(String name) {
        return values.containsKey(name) ? number(name) : 0;
    }

    /** {@link MarkPage#UNKNOWN} when it is not there. */
    long instant(String name) {
        return values.containsKey(name) ? number(name) : MarkPage.UNKNOWN;
    }

    /**
     * Instants by broker.
     *
     * @param which 1 for the first of a broker, 2 for the second; brokers without it are missing
     * @throws IllegalArgumentException when the list is not there, or is none
     */
    SortedMap<Integer, Long> instants(String name, int which) {
        SortedMap<Integer, Long> instants = new TreeMap<>();
        for (String each : text(name).split(",")) {
            String[] parts = each.split(":");
            if (parts.length > which) {
                instants.put(id(name, parts[0]), number(name, parts[which]));
            }
        }
        return instants;
    }

    private long number(String name, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw wrong(name, value, "number");
        }
    }

    private int id(String name, String value) {
        long number = number(name, value);
        if (number != (int) number) {
            throw wrong(name, value, "number of 32 bits");
        }
        return (int) number;
    }

    private IllegalArgumentException wrong(String name, String value, String wanted) {
        String repeated = value.length() > MOST_REPEATED ? value.substring(0, MOST_REPEATED) + "..." : value;
        return new IllegalArgumentException(kind + ": " + name + "=" + repeated + " is no " + wanted);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind);
        values.forEach(
                (name, value) -> text.append(' ').append(name).append('=').append(value));
        return text.toString();
    }
}
