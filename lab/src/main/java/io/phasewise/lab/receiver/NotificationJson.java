/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.lab.receiver.Notification.Alert;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The receiver's own JSON, written by it and read by the launcher: {@code {"notifications":[...]}},
 * newest first. Alertmanager's format is left to {@link WebhookReader}.
 */
public final class NotificationJson {

    private final ObjectMapper mapper = new ObjectMapper();

    byte[] write(List<Notification> newestFirst) {
        ObjectNode root = mapper.createObjectNode();
        ArrayNode list = root.putArray("notifications");
        newestFirst.forEach(notification -> write(notification, list.addObject()));
        return bytes(root);
    }

    /**
     * Reads what {@code /notifications} answered.
     *
     * @throws IOException when it is something else
     */
    public List<Notification> read(byte[] json) throws IOException {
        List<Notification> read = new ArrayList<>();
        for (JsonNode node : mapper.readTree(json).path("notifications")) {
            List<Alert> alerts = new ArrayList<>();
            for (JsonNode alert : node.path("alerts")) {
                alerts.add(
                        new Alert(
                                alert.path("status").asText(),
                                texts(alert.path("labels")),
                                texts(alert.path("annotations")),
                                alert.path("startsAt").asText(),
                                alert.path("endsAt").asText(),
                                alert.path("generatorURL").asText()));
            }
            read.add(
                    new Notification(
                            node.path("id").asLong(),
                            instant(node.path("receivedAt").asText()),
                            node.path("status").asText(),
                            node.path("receiver").asText(),
                            alerts));
        }
        return read;
    }

    private void write(Notification notification, ObjectNode node) {
        node.put("id", notification.id());
        node.put("receivedAt", notification.receivedAt().toString());
        node.put("status", notification.status());
        node.put("receiver", notification.receiver());
        ArrayNode alerts = node.putArray("alerts");
        for (Alert alert : notification.alerts()) {
            ObjectNode written = alerts.addObject();
            written.put("status", alert.status());
            written.set("labels", mapper.valueToTree(new TreeMap<>(alert.labels())));
            written.set("annotations", mapper.valueToTree(new TreeMap<>(alert.annotations())));
            written.put("startsAt", alert.startsAt());
            written.put("endsAt", alert.endsAt());
            written.put("generatorURL", alert.generatorUrl());
        }
    }

    private byte[] bytes(ObjectNode root) {
        try {
            return mapper.writeValueAsBytes(root);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Instant instant(String text) throws IOException {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException malformed) {
            throw new IOException("receivedAt: not a time: " + text, malformed);
        }
    }

    private static Map<String, String> texts(JsonNode node) {
        Map<String, String> texts = new LinkedHashMap<>();
        node.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }
}
