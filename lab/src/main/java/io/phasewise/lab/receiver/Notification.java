/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One webhook call of Alertmanager, as the receiver keeps it: a group of alerts that fire or are
 * resolved. {@link NotificationJson} reads it.
 *
 * @param id counts up from 1 within one run of the receiver
 * @param receivedAt an instant in ISO 8601
 * @param status of the group: {@code firing} while one of its alerts fires, else {@code resolved}
 * @param truncatedAlerts how many more alerts Alertmanager left out (max_alerts)
 */
public record Notification(
        long id, String receivedAt, String status, String receiver, List<Alert> alerts, long truncatedAlerts) {

    public Notification {
        receiver = Objects.requireNonNullElse(receiver, "");
        alerts = alerts == null ? List.of() : List.copyOf(alerts);
    }

    Notification received(long id, Instant at) {
        return new Notification(id, at.toString(), status, receiver, alerts, truncatedAlerts);
    }

    /**
     * One alert of a notification.
     *
     * @param startsAt as Alertmanager wrote it; null when absent
     * @param endsAt as Alertmanager wrote it; null when absent
     * @param generatorUrl link to the expression in Prometheus; null when absent
     */
    public record Alert(
            String status,
            Map<String, String> labels,
            Map<String, String> annotations,
            String startsAt,
            String endsAt,
            @JsonProperty("generatorURL") String generatorUrl) {

        public Alert {
            labels = labels == null ? Map.of() : Map.copyOf(labels);
            annotations = annotations == null ? Map.of() : Map.copyOf(annotations);
        }

        public boolean firing() {
            return status.equals("firing");
        }

        /** The value of a label; a dash when it is absent. */
        public String label(String name) {
            return labels.getOrDefault(name, "-");
        }

        /** The summary, else the description, else an empty text. */
        public String summary() {
            return annotations.getOrDefault("summary", annotations.getOrDefault("description", ""));
        }
    }
}
