/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.common.file.JarResource;
import java.util.Map;

/**
 * Which keys there are, and what applies where one is not given; {@code defaults.yml} says it.
 *
 * @param tree each key with its default, or empty
 */
record KnownKeys(ObjectNode tree) {
    /** In the tree, a key of any name. */
    static final String ANY = "*";

    /** Reads the canary's keys. */
    static KnownKeys read() {
        return read("defaults.yml");
    }

    /** Reads a tree of keys from a resource beside this class. */
    static KnownKeys read(String resource) {
        try {
            return new KnownKeys(Yaml.parse(JarResource.text(KnownKeys.class, resource), resource));
        } catch (InvalidConfigException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A new tree of the defaults in one place, without keys that have none. */
    ObjectNode defaults(String pointer) {
        return defaults((ObjectNode) tree.at(pointer));
    }

    private static ObjectNode defaults(ObjectNode keys) {
        ObjectNode defaults = keys.objectNode();
        for (Map.Entry<String, JsonNode> key : keys.properties()) {
            JsonNode value = key.getValue();
            value = value instanceof ObjectNode below ? defaults(below) : value;
            boolean none = value.isEmpty() && value.asText().isEmpty();
            if (!none && !key.getKey().equals(ANY)) {
                defaults.set(key.getKey(), value);
            }
        }
        return defaults;
    }
}
