/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import java.util.LinkedHashMap;
import java.util.Map;

/** A word, and after it {@code name=value} pairs, all without blanks. */
final class KeyValueLine {

    final String kind;
    private final Map<String, String> values = new LinkedHashMap<>();

    KeyValueLine(String kind) {
        this.kind = kind;
    }

    static KeyValueLine parse(String text) {
        String[] parts = text.split(" ");
        KeyValueLine line = new KeyValueLine(parts[0]);
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
     * @throws IllegalArgumentException when it is not there, or no number
     */
    long number(String name) {
        return Long.parseLong(text(name));
    }

    /** False when it is not there. */
    boolean flag(String name) {
        return Boolean.parseBoolean(values.get(name));
    }

    /** {@link MarkPage#UNKNOWN} when it is not there. */
    long instant(String name) {
        return values.containsKey(name) ? number(name) : MarkPage.UNKNOWN;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(kind);
        values.forEach(
                (name, value) -> text.append(' ').append(name).append('=').append(value));
        return text.toString();
    }
}
