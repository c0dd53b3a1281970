/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Notifications as JSON: as Alertmanager sends them (webhook, version 4), and as the receiver lists
 * them, {@code {"notifications":[...]}}, newest first.
 */
public final class NotificationJson {

    private static final Set<String> STATUSES = Set.of("firing", "resolved");

    private final JsonMapper mapper =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                    .addModule(
                            new SimpleModule()
                                    .addSerializer(Instant.class, ToStringSerializer.instance)
                                    .addDeserializer(Instant.class, instants()))
                    .build();

    private static FromStringDeserializer<Instant> instants() {
        return new FromStringDeserializer<>(Instant.class) {
            private static final long serialVersionUID = 1;

            @Override
            protected Instant _deserialize(String text, DeserializationContext context) {
                return Instant.parse(text);
            }
        };
    }

    private record Listing(List<Notification> notifications) {}

    byte[] write(List<Notification> newestFirst) {
        try {
            return mapper.writeValueAsBytes(new Listing(newestFirst));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads what {@code /notifications} answered.
     *
     * @throws IOException when it is something else
     */
    public List<Notification> read(byte[] json) throws IOException {
        return mapper.readValue(json, Listing.class).notifications();
    }

    /**
     * Reads a webhook call; it has no number and no time yet.
     *
     * @throws IOException when it is none; the message names the key that is missing or wrong
     */
    Notification webhook(byte[] body) throws IOException {
        Notification call = parse(body);
        requireStatus(call.status(), "status");
        if (call.alerts().isEmpty()) {
            throw new IOException("alerts: must be a list of one or more alerts");
        }
        for (int i = 0; i < call.alerts().size(); i++) {
            requireStatus(call.alerts().get(i).status(), "alerts[" + i + "].status");
        }
        return call;
    }

    private Notification parse(byte[] body) throws IOException {
        try {
            return mapper.readValue(body, Notification.class);
        } catch (JsonMappingException wrong) {
            String path =
                    wrong.getPath().stream()
                            .map(
                                    at ->
                                            at.getFieldName() == null
                                                    ? "[" + at.getIndex() + "]"
                                                    : at.getFieldName())
                            .collect(Collectors.joining("."))
                            .replace(".[", "[");
            throw new IOException(
                    path.isEmpty() ? "not a JSON object" : path + ": " + wrong.getOriginalMessage(),
                    wrong);
        } catch (JsonProcessingException malformed) {
            throw new IOException("not JSON: " + malformed.getOriginalMessage(), malformed);
        }
    }

    private static void requireStatus(String status, String path) throws IOException {
        if (!STATUSES.contains(status)) {
            throw new IOException(path + ": must be firing or resolved");
        }
    }
}
