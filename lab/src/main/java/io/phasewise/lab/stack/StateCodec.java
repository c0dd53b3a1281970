/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.stack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.lab.process.ProcessIdentity;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The state file's JSON, both ways; files are left to {@link StateDirectory}. */
final class StateCodec {

    private static final int FORMAT = 1;

    private final ObjectMapper mapper =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    String write(StackState state) {
        ObjectNode root = mapper.createObjectNode();
        root.put("format", FORMAT);
        root.put("portOffset", state.portOffset());
        root.put("controllers", state.controllers());
        root.put("stopping", state.stopping());
        ArrayNode components = root.putArray("components");
        for (RunningComponent running : state.components()) {
            Component component = running.component();
            ObjectNode node = components.addObject();
            node.put("name", component.name());
            node.put("kind", component.kind().label());
            node.put("pid", running.identity().pid());
            node.put("processStarted", running.identity().started().toString());
            node.put("port", component.port());
            node.put("url", component.url());
            component.bootstrap().ifPresent(value -> node.put("bootstrap", value));
            component.metricsUrl().ifPresent(value -> node.put("metricsUrl", value));
            node.put("log", running.log().toString());
            node.put("since", running.since().toString());
        }
        try {
            return mapper.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * @throws IllegalArgumentException when the text is not a state of this format; the message
     *     says what is wrong with it
     */
    StackState read(String json) {
        JsonNode root;
        try {
            root = mapper.readTree(json);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(
                    "not JSON: " + malformed.getOriginalMessage(), malformed);
        }
        if (root.path("format").asInt() != FORMAT) {
            throw new IllegalArgumentException("format: must be " + FORMAT);
        }
        List<RunningComponent> components = new ArrayList<>();
        for (JsonNode node : root.path("components")) {
            components.add(component(node));
        }
        int offset = number(root, "portOffset", 0, StackPorts.MAX_OFFSET);
        // A state of an earlier release says nothing: its brokers are controllers, too.
        int controllers =
                root.has("controllers")
                        ? number(root, "controllers", 0, StackPorts.MOST_CONTROLLERS)
                        : 0;
        return new StackState(offset, controllers, root.path("stopping").asBoolean(), components);
    }

    private static RunningComponent component(JsonNode node) {
        String kind = text(node, "kind");
        Component component =
                new Component(
                        text(node, "name"),
                        ComponentKind.ofLabel(kind)
                                .orElseThrow(
                                        () ->
                                                new IllegalArgumentException(
                                                        "kind: unknown: " + kind)),
                        number(node, "port", 1, 65535),
                        text(node, "url"),
                        optional(node, "bootstrap"),
                        optional(node, "metricsUrl"));
        return new RunningComponent(
                component,
                new ProcessIdentity(
                        number(node, "pid", 1, Integer.MAX_VALUE), instant(node, "processStarted")),
                Path.of(text(node, "log")),
                instant(node, "since"));
    }

    private static int number(JsonNode node, String key, int least, int most) {
        JsonNode value = node.path(key);
        if (!value.isInt() || value.intValue() < least || value.intValue() > most) {
            throw new IllegalArgumentException(
                    key + ": must be a whole number from " + least + " to " + most);
        }
        return value.intValue();
    }

    private static String text(JsonNode node, String key) {
        return optional(node, key)
                .orElseThrow(() -> new IllegalArgumentException(key + ": must be a string"));
    }

    private static Optional<String> optional(JsonNode node, String key) {
        return Optional.ofNullable(node.path(key).textValue());
    }

    private static Instant instant(JsonNode node, String key) {
        try {
            return Instant.parse(text(node, key));
        } catch (DateTimeException malformed) {
            throw new IllegalArgumentException(key + ": must be a time", malformed);
        }
    }
}
