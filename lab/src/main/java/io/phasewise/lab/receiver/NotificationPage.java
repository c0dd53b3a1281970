/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import io.phasewise.lab.receiver.Notification.Alert;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The page of the last notifications, newest first, as HTML in which everything that came from
 * outside is escaped.
 */
final class NotificationPage {

    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="refresh" content="5">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Phasewise: notifications</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem;
                   color: #1f2328; background: #fff; }
            table { border-collapse: collapse; width: 100%; }
            th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #d1d9e0; }
            .firing { color: #b42318; font-weight: 600; }
            .resolved { color: #1a7f37; font-weight: 600; }
            small { color: #59636e; }
            pre { font: 12px/1.45 ui-monospace, monospace; white-space: pre-wrap; margin: .4rem 0; }
            @media (prefers-color-scheme: dark) {
              body { color: #e6edf3; background: #0d1117; }
              th, td { border-color: #3d444d; }
              .firing { color: #ff7b72; } .resolved { color: #3fb950; } small { color: #9198a1; }
            }
            </style>
            </head>
            <body>
            <h1>Notifications</h1>
            """;

    String render(List<Notification> newestFirst) {
        StringBuilder page = new StringBuilder(HEAD);
        if (newestFirst.isEmpty()) {
            page.append(
                    "<p>None so far. Alertmanager's notifications appear here, newest"
                            + " first.</p>\n");
        } else {
            page.append(
                    "<table>\n<tr><th>Received</th><th>Status</th><th>Alert</th><th>Severity</th>"
                            + "<th>Cluster</th><th>Summary</th></tr>\n");
            newestFirst.forEach(
                    notification ->
                            notification.alerts().forEach(alert -> row(page, notification, alert)));
            page.append("</table>\n");
        }
        return page.append("<p><small><a href=\"/notifications\">as JSON</a></small></p>\n")
                .append("</body>\n</html>\n")
                .toString();
    }

    private static void row(StringBuilder page, Notification notification, Alert alert) {
        String status = alert.firing() ? "firing" : "resolved";
        page.append("<tr><td>")
                .append(escape(notification.receivedAt().toString()))
                .append("</td><td class=\"")
                .append(status)
                .append("\">")
                .append(status)
                .append("</td><td>")
                .append(name(alert))
                .append("</td><td>")
                .append(escape(alert.label("severity")))
                .append("</td><td>")
                .append(escape(alert.label("cluster")))
                .append("</td><td>")
                .append(escape(alert.summary()))
                .append(text(alert))
                .append("<br><small>")
                .append(escape(others(alert.labels())))
                .append("</small></td></tr>\n");
    }

    private static String name(Alert alert) {
        String name = escape(alert.label("alertname"));
        String url = alert.generatorUrl();
        // Anything but a web address (javascript:, say) is shown to nobody.
        boolean web = url.startsWith("http://") || url.startsWith("https://");
        return web ? "<a rel=\"noreferrer\" href=\"" + escape(url) + "\">" + name + "</a>" : name;
    }

    private static String text(Alert alert) {
        String text = alert.annotations().getOrDefault("description", "");
        return text.isEmpty() || !alert.firing() ? "" : "<pre>" + escape(text) + "</pre>";
    }

    private static String others(Map<String, String> labels) {
        Map<String, String> others = new TreeMap<>(labels);
        List.of("alertname", "severity", "cluster").forEach(others::remove);
        StringBuilder text = new StringBuilder();
        others.forEach((key, value) -> text.append(key).append('=').append(value).append(' '));
        return text.toString().strip();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
