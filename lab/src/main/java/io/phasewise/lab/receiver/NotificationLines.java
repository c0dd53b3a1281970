/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import io.phasewise.common.progress.Terminal;
import io.phasewise.common.progress.Terminal.Colour;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Words a notification for a terminal or a log file: one line for each alert, and below an alert
 * that fires its description and runbook. The summary of a resolved alert is marked as past.
 */
public final class NotificationLines {

    private static final String INDENT = " ".repeat(10);

    private final Terminal terminal;
    private final DateTimeFormatter time;

    public NotificationLines(Terminal terminal, ZoneId zone) {
        this.terminal = terminal;
        this.time = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(zone);
    }

    /** The lines of all alerts, in the order in which Alertmanager sent them. */
    public List<String> of(Notification notification) {
        String at = time.format(Instant.parse(notification.receivedAt()));
        List<String> lines = new ArrayList<>();
        for (Notification.Alert alert : notification.alerts()) {
            lines.add(line(at, alert));
            if (alert.firing()) {
                String text = alert.annotations().getOrDefault("description", "");
                text.lines().forEach(line -> lines.add((INDENT + safe(line)).stripTrailing()));
                String runbook = alert.annotations().getOrDefault("runbook_url", "");
                if (!runbook.isEmpty()) {
                    lines.add(INDENT + "Runbook: " + safe(runbook));
                }
            }
        }
        if (notification.truncatedAlerts() > 0) {
            lines.add(INDENT + "and more: Alertmanager left out " + notification.truncatedAlerts()
                    + (notification.truncatedAlerts() == 1 ? " alert" : " alerts"));
        }
        return lines;
    }

    private String line(String at, Notification.Alert alert) {
        String status =
                alert.firing() ? terminal.paint(Colour.RED, "FIRING  ") : terminal.paint(Colour.GREEN, "RESOLVED");
        return String.join(
                        "  ",
                        at,
                        status,
                        safe(alert.label("alertname")),
                        "severity=" + safe(alert.label("severity")),
                        "cluster=" + safe(alert.label("cluster")),
                        safe(
                                alert.firing() || alert.summary().isEmpty()
                                        ? alert.summary()
                                        : "It was: " + alert.summary()))
                .stripTrailing();
    }

    // // Labels come from outside: no escape sequence may reach the terminal, and no line break may
    // fake a second alert.
    private static String safe(String text) {
        return text.replaceAll("[\\p{Cntrl}\\x80-\\x9f]+", " ");
    }
}
