/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** Parses YAML into a tree of texts: what a text means is left to {@link Binder}. */
final class Yaml {
    /** Levels; an alias that contains itself would have no end. */
    private static final int DEEPEST = 20;

    private Yaml() {}

    /**
     * Parses a text.
     *
     * @param origin what to call it in messages
     * @throws InvalidConfigException for duplicate keys, tabs, anything else than a mapping
     */
    static ObjectNode parse(String text, String origin) throws InvalidConfigException {
        LoaderOptions options = new LoaderOptions();
        ParserImpl parser = new ParserImpl(new StreamReader(text), options);
        SafeConstructor constructor = new SafeConstructor(options);
        constructor.setAllowDuplicateKeys(false);
        constructor.setComposer(new Composer(parser, new Texts(), options));
        String fault;
        try {
            Object root = constructor.getSingleData(Object.class);
            if (root == null || root instanceof Map<?, ?>) {
                return (ObjectNode) node(root == null ? Map.of() : root, 0);
            }
            fault = "is not a YAML mapping; its root key is canary";
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            fault = "line " + line + ": " + e.getProblem();
        } catch (YAMLException e) {
            fault = "is not YAML: " + e.getMessage();
        }
        throw new InvalidConfigException(List.of(new ConfigFault(origin, fault)));
    }

    private static JsonNode node(Object value, int depth) {
        if (depth > DEEPEST) {
            throw new YAMLException("it is nested deeper than " + DEEPEST + " levels");
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode node = JsonNodeFactory.instance.objectNode();
            map.forEach((key, held) -> node.set(String.valueOf(key), node(held, depth + 1)));
            return node;
        }
        return value instanceof Collection<?>
                ? JsonNodeFactory.instance.arrayNode()
                : JsonNodeFactory.instance.textNode(value == null ? "" : value.toString());
    }

    /** Leaves numbers, dates and the like as they are written. */
    private static final class Texts extends Resolver {
        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.MERGE, MERGE, "<");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }
    }
}
