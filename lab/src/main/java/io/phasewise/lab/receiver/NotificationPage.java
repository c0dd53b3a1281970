/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import io.phasewise.common.progress.Terminal;
import java.time.ZoneOffset;
import java.util.List;

/**
 * The page of the last notifications, newest first, in the words of the terminal. Everything that
 * came from outside is escaped.
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
            :root { color-scheme: light dark; }
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
            pre { font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; padding-left: .8rem; border-left: 4px solid; }
            .firing { border-color: #d1242f; }
            .resolved { border-color: #1a7f37; }
            </style>
            </head>
            <body>
            <h1>Notifications</h1>
            <p>Newest first, times in UTC. All labels: <a href="/notifications">as JSON</a>.</p>
            """;

    private final NotificationLines lines = new NotificationLines(Terminal.plain(), ZoneOffset.UTC);

    String render(List<Notification> newestFirst) {
        StringBuilder page = new StringBuilder(HEAD);
        if (newestFirst.isEmpty()) {
            page.append("<p>None so far.</p>\n");
        }
        for (Notification each : newestFirst) {
            page.append("<pre class=\"")
                    .append(escape(each.status()))
                    .append("\">")
                    .append(escape(String.join("\n", lines.of(each))))
                    .append("</pre>\n");
        }
        return page.append("</body>\n</html>\n").toString();
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
