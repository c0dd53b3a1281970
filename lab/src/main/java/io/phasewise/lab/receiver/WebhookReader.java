/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.phasewise.lab.receiver.Notification.Alert;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the JSON of an Alertmanager webhook call (version 4) and refuses what is not one. */
final class WebhookReader {

    private static final Set<String> STATUSES = Set.of("firing", "resolved");

    /** What one call says, before the receiver has given it a number and a time. */
    record Webhook(String status, String receiver, List<Alert> alerts) {}

    private final JsonMapper mapper =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    /**
     * Reads one call.
     *
     * @throws MalformedNotificationException names the key that is missing or wrong
     */
    Webhook read(byte[] body) throws MalformedNotificationException {
        JsonNode root = parse(body);
        if (!root.isObject()) {
            throw new MalformedNotificationException("not a JSON object");
        }
        JsonNode alerts = root.path("alerts");
        if (!alerts.isArray() || alerts.isEmpty()) {
            throw new MalformedNotificationException(
                    "alerts: must be a list of one or more alerts");
        }
        List<Alert> read = new ArrayList<>();
        for (int i = 0; i < alerts.size(); i++) {
            read.add(alert(alerts.get(i), "alerts[" + i + "]"));
        }
        return new Webhook(status(root, "status"), root.path("receiver").asText(""), read);
    }

    private JsonNode parse(byte[] body) throws MalformedNotificationException {
        try {
            return mapper.readTree(body);
        } catch (JsonProcessingException malformed) {
            throw new MalformedNotificationException("not JSON: " + malformed.getOriginalMessage());
        } catch (IOException impossible) {
            throw new MalformedNotificationException("not JSON");
        }
    }

    private static Alert alert(JsonNode node, String path) throws MalformedNotificationException {
        if (!node.isObject()) {
            throw new MalformedNotificationException(path + ": must be an object");
        }
        return new Alert(
                status(node, path + ".status"),
                texts(node, "labels", path),
                texts(node, "annotations", path),
                node.path("startsAt").asText(""),
                node.path("endsAt").asText(""),
                node.path("generatorURL").asText(""));
    }

    private static String status(JsonNode node, String path) throws MalformedNotificationException {
        String status = node.path("status").asText("");
        if (!STATUSES.contains(status)) {
            throw new MalformedNotificationException(path + ": must be firing or resolved");
        }
        return status;
    }

    private static Map<String, String> texts(JsonNode alert, String key, String path)
            throws MalformedNotificationException {
        JsonNode node = alert.path(key);
        if (node.isMissingNode() || node.isNull()) {
            return Map.of();
        }
        if (!node.isObject()) {
            throw new MalformedNotificationException(path + "." + key + ": must be an object");
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (!entry.getValue().isTextual()) {
                throw new MalformedNotificationException(
                        path + "." + key + "." + entry.getKey() + ": must be a string");
            }
            texts.put(entry.getKey(), entry.getValue().textValue());
        }
        return texts;
    }
}
