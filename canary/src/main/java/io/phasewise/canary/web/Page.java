/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.web;

import io.phasewise.canary.status.ClusterStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * The canary's own page: the status as HTML, complete without a script; page.js in it then keeps it
 * up to date and draws the bars. What a cluster's part looks like is left to {@link PageSection}.
 *
 * <p>One answer, nothing loaded from elsewhere; the browser is told to run this script only and to
 * ask this server only.
 */
final class Page {
    private final String style = resource("page.css");
    private final String script = resource("page.js");
    private final String policy =
            "default-src 'none'; style-src '"
                    + hash(style)
                    + "'; script-src '"
                    + hash(script)
                    + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    /** For the header Content-Security-Policy. */
    String policy() {
        return policy;
    }

    /** The page as of now. */
    String write(StatusSource source) {
        Instant now = source.now();
        StringBuilder html = new StringBuilder(32_768);
        html.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .append(
                        "<meta name=\"viewport\" content=\"width=device-width,"
                                + " initial-scale=1\">\n")
                .append("<title>Phasewise canary</title>\n<link rel=\"icon\" href=\"data:,\">\n")
                .append("<style>")
                .append(style)
                .append("</style>\n</head>\n<body>\n");
        header(html, source, now);
        List<ClusterStatus> clusters = source.clusters();
        html.append("<main id=\"main\">\n<p id=\"stale\" role=\"alert\" hidden></p>\n");
        if (clusters.size() > 1) {
            contents(html, clusters);
        }
        for (int i = 0; i < clusters.size(); i++) {
            new PageSection(html, clusters.get(i), "c" + i, now).write();
        }
        html.append("</main>\n<footer>Times are UTC. ")
                .append("<a href=\"status\">status</a> as JSON, <a href=\"metrics\">metrics</a>,")
                .append(
                        " <a href=\"-/ready\">ready</a>, <a"
                                + " href=\"-/healthy\">healthy</a></footer>")
                .append("\n<script>")
                .append(script)
                .append("</script>\n</body>\n</html>\n");
        return html.toString();
    }

    private static void header(StringBuilder html, StatusSource source, Instant now) {
        html.append("<header>\n<a class=\"skip\" href=\"#main\">Skip to the figures</a>\n")
                .append("<h1>Phasewise canary <small>")
                .append(Texts.escape(source.version()))
                .append(source.site().map(site -> ", site " + Texts.escape(site)).orElse(""))
                .append(", up since ")
                .append(source.startedAt().toString(), 0, 16)
                .append(
                        "Z</small></h1>\n"
                                + "<noscript><p>Without scripts this page stands still: as of ")
                .append(Texts.clock(now))
                .append(" UTC.</p></noscript>\n<div class=\"tools\" hidden>\n");
        choice(html, "shown", "Latency", "p50", "p99", "mean");
        choice(html, "order", "Slow probes", "slowest", "latest");
        html.append("<button id=\"pause\" type=\"button\">Pause</button>\n")
                .append("<span class=\"faint\"><span id=\"live\">live,</span> <span id=\"at\">")
                .append(Texts.clock(now))
                .append(" UTC</span></span>\n</div>\n</header>\n");
    }

    private static void choice(StringBuilder html, String name, String legend, String... values) {
        html.append("<fieldset><legend>").append(legend).append("</legend>");
        for (String value : values) {
            boolean checked = value.equals("p99") || value.equals("slowest");
            html.append("<label><input type=\"radio\" name=\"")
                    .append(name)
                    .append("\" value=\"")
                    .append(value)
                    .append(checked ? "\" checked>" : "\">")
                    .append(value)
                    .append("</label>");
        }
        html.append("</fieldset>\n");
    }

    private static void contents(StringBuilder html, List<ClusterStatus> clusters) {
        html.append("<nav aria-label=\"Clusters\"><p>");
        for (int i = 0; i < clusters.size(); i++) {
            html.append(i == 0 ? "" : " · ")
                    .append("<a href=\"#c")
                    .append(i)
                    .append("\">")
                    .append(Texts.escape(clusters.get(i).title()))
                    .append("</a>");
        }
        html.append("</p></nav>\n");
    }

    private static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String hash(String text) {
        try {
            return "sha256-"
                    + Base64.getEncoder()
                            .encodeToString(
                                    MessageDigest.getInstance("SHA-256")
                                            .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
