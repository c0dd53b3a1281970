/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetupTest;
import com.sun.net.httpserver.HttpServer;
import io.phasewise.lab.net.PortLease;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What alerting/production.yml sends to PagerDuty, Slack, e-mail and webhooks, for which a server
 * of this test stands in: the texts, and that secrets come from their files. {@link AlertmanagerIT}
 * checks who is notified.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NotificationTextIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @AutoClose
    private final OpenResources open = new OpenResources();

    /** The bodies that were posted, each with its path. */
    private final List<Map.Entry<String, String>> posted = new CopyOnWriteArrayList<>();

    private GreenMail mail;
    private Map<String, String> labels;
    private Map<String, String> annotations;

    /** The same, with the links that texts have when no address is set. */
    private Map<String, String> paths;

    @BeforeAll
    void fireAPageATicketAndTheWatchdog(@TempDir Path directory) throws Exception {
        HttpServer web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        web.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String text = new String(body, StandardCharsets.UTF_8);
            posted.add(Map.entry(exchange.getRequestURI().getPath(), text));
            // PagerDuty answers 202; the others accept any 2xx.
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        });
        web.start();
        open.keep(() -> web.stop(0));
        mail = new GreenMail(ServerSetupTest.SMTP.dynamicPort());
        // Another password is refused.
        mail.setUser("alertmanager@example.com", "alertmanager", "mail-secret");
        mail.start();
        open.keep(mail::stop);
        String here = "http://127.0.0.1:" + web.getAddress().getPort();

        Path secrets = Files.createDirectories(directory.resolve("secrets"));
        String contents = """
                smtp-password mail-secret
                pagerduty-kafka pager-secret
                pagerduty-monitoring other-secret
                slack-webhook $here/slack-secret
                ticket-webhook $here/tickets
                dead-mans-switch $here/alive
                """;
        for (String secret : contents.replace("$here", here).lines().toList()) {
            String[] nameAndValue = secret.split(" ");
            Files.writeString(secrets.resolve(nameAndValue[0]), nameAndValue[1] + "\n");
        }
        String global = "global:\n  smtp_require_tls: false\n  pagerduty_url: " + here;
        String configuration = TestAlertmanager.quick("alerting/production.yml")
                .replace("/etc/alertmanager/secrets", secrets.toString())
                .replace("mail.example.com:587", "127.0.0.1:" + mail.getSmtp().getPort())
                .replace("global:\n", global + "/pagerduty\n")
                // Without this, nothing is sent at the weekend.
                .replaceAll("mute_time_intervals: .*", "mute_time_intervals: []");
        int port = open.keep(PortLease.take(1)).port(0);
        TestAlertmanager alertmanager =
                open.keep(TestAlertmanager.start(directory.resolve("alertmanager"), configuration, port));

        readTheAlertThatTheRulesAreTestedToRaise();
        alertmanager.fire(List.of(Map.of("alertname", "Watchdog", "severity", "none")));
        alertmanager.fire(labels, annotations);
        Map<String, String> page = new HashMap<>(labels);
        page.put("severity", "critical");
        page.put("cluster", "without-addresses");
        alertmanager.fire(page, paths);
        page.putAll(Map.of("cluster", labels.get("cluster"), "alertname", "MostProbesBad"));
        alertmanager.fire(page, annotations);
    }

    private void readTheAlertThatTheRulesAreTestedToRaise() {
        JsonNode expected = Repository.yaml("prometheus/tests/latency-alerts.yml").findParents("exp_alerts").stream()
                .filter(test -> test.path("alertname").asText().equals("PhaseRegression"))
                .filter(test -> test.at("/exp_alerts/0").isObject())
                .findFirst()
                .orElseThrow()
                .at("/exp_alerts/0");
        labels = texts(expected.path("exp_labels"));
        labels.put("alertname", "PhaseRegression");
        // The rules are tested without addresses.
        paths = texts(expected.path("exp_annotations"));
        annotations = new HashMap<>(paths);
        annotations.computeIfPresent(
                "runbook_url", (key, path) -> path.replace("alerting/runbooks", "https://wiki.test/kafka"));
        annotations.computeIfPresent("dashboard_url", (key, path) -> "https://grafana.test" + path);
    }

    private static Map<String, String> texts(JsonNode node) {
        return JSON.convertValue(node, new TypeReference<>() {});
    }

    @Test
    void pagerDutyGetsTheTextAndItsKeyFromTheFile() throws IOException {
        JsonNode event = postedWith("/pagerduty", "https://wiki.test");

        assertThat(event.path("routing_key").asText()).isEqualTo("pager-secret");
        assertThat(event.path("event_action").asText()).isEqualTo("trigger");
        assertThat(event.at("/payload/summary").asText()).isEqualTo("[FIRING critical] " + annotations.get("summary"));
        assertThat(event.at("/payload/custom_details/text").asText())
                .contains(annotations.get("description"), annotations.get("runbook_url"));
    }

    @Test
    void slackGetsSentencesAndTheTableInFixedWidth() throws IOException {
        JsonNode attachment = postedWith("/slack-secret", "https://wiki.test").at("/attachments/0");

        assertThat(attachment.path("title").asText()).contains(annotations.get("summary"));
        assertThat(attachment.path("title_link").asText()).isEqualTo(annotations.get("dashboard_url"));
        assertThat(attachment.path("text").asText())
                .contains(sentences(), "```" + table() + "```", "<" + annotations.get("runbook_url") + "|Runbook>");
        assertThat(attachment.path("color").asText()).isIn("danger", "warning");
    }

    @Test
    void aPathIsShownAsTextAndLinksNowhere() throws IOException {
        JsonNode attachment = postedWith("/slack-secret", "alerting/runbooks/").at("/attachments/0");

        assertThat(attachment.path("title_link").asText()).isEmpty();
        assertThat(attachment.path("text").asText())
                .contains("Runbook: alerting/runbooks/PhaseRegression.md")
                .contains("Dashboard, in Grafana: /d/phasewise-latency-overview?")
                .doesNotContain("|Runbook>", "|Dashboard>");
    }

    @Test
    void mailHasTheTextAndAPageWithTheTableInFixedWidth() throws Exception {
        assertThat(mail.waitForIncomingEmail(Http.PATIENCE.toMillis(), 1)).isTrue();
        MimeMessage received = mail.getReceivedMessages()[0];

        assertThat(received.getSubject()).isEqualTo("[FIRING warning] " + annotations.get("summary"));
        assertThat(part(received, "text/plain"))
                .contains(annotations.get("description"), annotations.get("runbook_url"));
        String html = part(received, "text/html");
        assertThat(html).contains(table() + "</pre>", "href=\"" + annotations.get("runbook_url") + "\"");
        // To be looked at by people.
        Files.writeString(
                Files.createDirectories(Repository.path("proving/acceptance/target"))
                        .resolve("mail.html"),
                html);
    }

    private static String part(MimeMessage message, String type) throws Exception {
        MimeMultipart parts = (MimeMultipart) message.getContent();
        for (int i = 0; i < parts.getCount(); i++) {
            if (parts.getBodyPart(i).isMimeType(type)) {
                return ((String) parts.getBodyPart(i).getContent()).replace("\r\n", "\n");
            }
        }
        throw new AssertionError("no " + type + " in " + message.getContentType());
    }

    @Test
    void theDeadMansSwitchHearsTheWatchdog() throws IOException {
        assertThat(postedWith("/alive", "").at("/alerts/0/labels/alertname").asText())
                .isEqualTo("Watchdog");
    }

    /** Waits for the first body posted to a path that contains a text. */
    private JsonNode postedWith(String path, String part) throws IOException {
        patiently().until(() -> posted.stream().anyMatch(it -> is(it, path, part)));
        return JSON.readTree(posted.stream()
                .filter(it -> is(it, path, part))
                .findFirst()
                .orElseThrow()
                .getValue());
    }

    private static boolean is(Map.Entry<String, String> posted, String path, String part) {
        return posted.getKey().equals(path) && posted.getValue().contains(part);
    }

    private String sentences() {
        return annotations.get("description").split("\n\n", 2)[0];
    }

    private String table() {
        return annotations.get("description").split("\n\n", 2)[1].stripTrailing();
    }
}
