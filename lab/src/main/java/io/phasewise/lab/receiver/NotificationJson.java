/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Reads and writes notifications as JSON: in the form in which Alertmanager sends them (webhook,
 * version 4), and in the form in which the receiver lists them: {@code {"notifications":[...]}},
 * newest first.
 */
public final class NotificationJson {

    private static final Set<String> STATUSES = Set.of("firing", "resolved");

    private final JsonMapper mapper = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();

    private record Listing(List<Notification> notifications) {}

    byte[] write(List<Notification> newestFirst) {
        try {
            return mapper.writeValueAsBytes(new Listing(newestFirst));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads an answer of {@code /notifications}.
     *
     * @throws IOException when it is something else
     */
    public List<Notification> read(byte[] json) throws IOException {
        return mapper.readValue(json, Listing.class).notifications();
    }

    /**
     * Reads a webhook call; it has no id and no time yet.
     *
     * @throws IOException when it is not one; the message says why
     */
    Notification webhook(byte[] body) throws IOException {
        Notification call = mapper.readValue(body, Notification.class);
        if (call == null || call.alerts().isEmpty()) {
            throw new IOException("alerts: must be a list of one or more alerts");
        }
        Stream<String> statuses = Stream.concat(
                Stream.of(String.valueOf(call.status())), call.alerts().stream().map(Notification.Alert::status));
        if (!statuses.map(String::valueOf).allMatch(STATUSES::contains)) {
            throw new IOException("status, of all and of each alert: must be firing or resolved");
        }
        return call;
    }
}
