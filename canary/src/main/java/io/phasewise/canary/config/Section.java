/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;

/**
 * What is given in one place of the configuration, below one key; names faults by their whole key.
 *
 * @param at the key, with a dot at the end
 * @param own what is given there; a value that is refused is taken out
 * @param faults takes what is wrong
 */
record Section(String at, ObjectNode own, Faults faults) {
    /** What is given below a key of this section; an empty one is made where nothing is. */
    Section below(String key) {
        return new Section(at + key + ".", own.withObjectProperty(key), faults);
    }

    /** Whether a key is given here, and not only inherited or a default. */
    boolean has(String key) {
        return !own.at(pointer(key)).isMissingNode();
    }

    /** The text of a key that is given here. */
    String text(String key) {
        return own.at(pointer(key)).asText();
    }

    void fault(String key, String message) {
        faults.add(at + key, message);
    }

    /** Names the fault, and goes on as if the key were not given. */
    void refuse(String key, String message) {
        if (!has(key)) {
            throw new IllegalStateException(at + key + " is refused, but not given: " + message);
        }
        fault(key, message);
        String pointer = pointer(key);
        int last = pointer.lastIndexOf('/');
        ((ObjectNode) own.at(pointer.substring(0, last))).remove(pointer.substring(last + 1));
    }

    /**
     * Bounds a value by another key's: too large a one is a fault where it is given, and gives way
     * where it is inherited.
     *
     * @param least said to the reader
     * @param otherwise what applies where nothing is given; takes the limit
     * @return the value, or the limit
     */
    <T extends Comparable<T>> T limit(
            String key, T value, String least, T limit, ObjectNode otherwise) {
        if (value.compareTo(limit) <= 0) {
            return value;
        }
        String most = limit instanceof Duration d ? Durations.show(d) : limit.toString();
        if (has(key)) {
            refuse(key, text(key) + " is out of range; allowed: " + least + " to " + most);
        }
        set(otherwise, key, most);
        return limit;
    }

    static void set(ObjectNode tree, String key, String text) {
        String pointer = pointer(key);
        int last = pointer.lastIndexOf('/');
        ObjectNode parent = last == 0 ? tree : tree.withObject(pointer.substring(0, last));
        parent.put(pointer.substring(last + 1), text);
    }

    /** A copy of one tree with another laid over it. */
    static ObjectNode merged(ObjectNode below, ObjectNode above) {
        ObjectNode merged = below.deepCopy();
        for (String name : GivenTree.names(above)) {
            boolean both = merged.path(name).isObject() && above.get(name).isObject();
            merged.set(
                    name,
                    both
                            ? merged((ObjectNode) merged.get(name), (ObjectNode) above.get(name))
                            : above.get(name).deepCopy());
        }
        return merged;
    }

    private static String pointer(String key) {
        return "/" + key.replace('.', '/');
    }
}
