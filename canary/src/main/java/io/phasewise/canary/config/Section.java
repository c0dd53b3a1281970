/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.common.time.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is given in one place of the configuration, below one key; names faults by their whole key.
 *
 * @param at the key, with a dot at the end
 * @param own what is given there; a value that is refused is taken out
 * @param faults takes what is wrong, in any section
 * @param warnings takes what deserves a word of warning, one line each
 */
record Section(String at, ObjectNode own, List<ConfigFault> faults, List<String> warnings) {
    /** What is given below a key of this section; an empty one is made where nothing is. */
    Section below(String key) {
        return new Section(at + key + ".", own.withObjectProperty(key), faults, warnings);
    }

    /** Whether a key is given here, and not only inherited or a default. */
    boolean has(String key) {
        return !own.at(pointer(key)).isMissingNode();
    }

    /** The text of a key that is given here. */
    String text(String key) {
        return own.at(pointer(key)).asText();
    }

    /**
     * The names in this section, sorted; those that do not have the form are among them, and are
     * faults.
     */
    Set<String> names(String form, String what) {
        Set<String> names = new TreeSet<>(names(own));
        names.stream().filter(name -> !name.matches(form)).forEach(name -> fault(name, "is not a " + what));
        return names;
    }

    void fault(String key, String message) {
        faults.add(new ConfigFault(at + key, message));
    }

    /** Names the fault, and goes on as if the key were not given. */
    void refuse(String key, String message) {
        if (!has(key)) {
            throw new IllegalStateException(at + key + " is refused, but not given: " + message);
        }
        fault(key, message);
        JsonPointer pointer = pointer(key);
        ((ObjectNode) own.at(pointer.head())).remove(pointer.last().getMatchingProperty());
    }

    /** Refuses a number or a duration. */
    void refuseRange(String key, String allowed) {
        refuse(key, text(key) + " is out of range; allowed: " + allowed);
    }

    /** Refuses a text. */
    void refuseText(String key, String allowed) {
        refuse(key, quote(text(key)) + " is not allowed; allowed: " + allowed);
    }

    /**
     * Limits a value to another key's. A larger one is a fault where it is given; where it is
     * inherited, the limit takes its place.
     *
     * @param least the lower bound, for the message only
     * @param otherwise what applies where nothing is given; takes the limit
     * @return the value, or the limit
     */
    <T extends Comparable<T>> T limit(String key, T value, String least, T limit, ObjectNode otherwise) {
        if (value.compareTo(limit) <= 0) {
            return value;
        }
        String most = limit instanceof Duration d ? Durations.show(d) : limit.toString();
        if (has(key)) {
            refuseRange(key, least + " to " + most);
        }
        set(otherwise, key, most);
        return limit;
    }

    static void set(ObjectNode tree, String key, String text) {
        JsonPointer pointer = pointer(key);
        tree.withObject(pointer.head()).put(pointer.last().getMatchingProperty(), text);
    }

    /** A copy of one tree with another laid over it. */
    static ObjectNode merged(ObjectNode below, ObjectNode above) {
        ObjectNode merged = below.deepCopy();
        for (Map.Entry<String, JsonNode> entry : above.deepCopy().properties()) {
            JsonNode under = merged.get(entry.getKey());
            JsonNode over = entry.getValue();
            boolean both = under instanceof ObjectNode && over instanceof ObjectNode;
            merged.set(entry.getKey(), both ? merged((ObjectNode) under, (ObjectNode) over) : over);
        }
        return merged;
    }

    /** The names in a mapping; a copy, so that the caller can change the mapping meanwhile. */
    static List<String> names(ObjectNode mapping) {
        return mapping.properties().stream().map(Map.Entry::getKey).toList();
    }

    static String quote(String text) {
        return '"' + text + '"';
    }

    private static JsonPointer pointer(String key) {
        return JsonPointer.compile("/" + key.replace('.', '/'));
    }
}
