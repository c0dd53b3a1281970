/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.common.progress.Terminal;
import io.phasewise.lab.receiver.Notification.Alert;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotificationLinesTest {

    private static List<String> lines(Terminal terminal, Alert... alerts) {
        return new NotificationLines(terminal, ZoneOffset.UTC)
                .of(new Notification(1, "2026-01-02T03:04:05Z", "firing", "local", List.of(alerts), 0));
    }

    private static Alert alert(String status, String summary) {
        Map<String, String> labels = Map.of("alertname", "CanaryDown", "severity", "page", "cluster", "local");
        return new Alert(status, labels, Map.of("summary", summary), "", "", "");
    }

    @Test
    void eachAlertIsALine() {
        assertThat(lines(Terminal.plain(), alert("firing", "gone"), alert("resolved", "")))
                .containsExactly(
                        "03:04:05  FIRING    CanaryDown  severity=page  cluster=local  gone",
                        "03:04:05  RESOLVED  CanaryDown  severity=page  cluster=local");
    }

    @Test
    void whatAFiringAlertSaysStandsBelowIt() {
        Map<String, String> name = Map.of("alertname", "A");
        Map<String, String> texts = Map.of(
                "summary", "slow",
                "description", "commit is long.\n\nphase  now",
                "runbook_url", "https://runbooks.example/A.md");
        Alert firing = new Alert("firing", name, texts, "", "", "");
        Alert resolved = new Alert("resolved", name, texts, "", "", "");

        assertThat(String.join("\n", lines(Terminal.plain(), firing, resolved))).isEqualTo("""
                        03:04:05  FIRING    A  severity=-  cluster=-  slow
                                  commit is long.

                                  phase  now
                                  Runbook: https://runbooks.example/A.md
                        03:04:05  RESOLVED  A  severity=-  cluster=-  It was: slow\
                        """);
    }

    @ParameterizedTest
    @CsvSource({"1, 1 alert", "250, 250 alerts"})
    void whatAlertmanagerLeftOutIsCounted(int leftOut, String words) {
        Notification notification = new Notification(
                1, "2026-01-02T03:04:05Z", "firing", "local", List.of(alert("firing", "gone")), leftOut);

        assertThat(new NotificationLines(Terminal.plain(), ZoneOffset.UTC).of(notification))
                .hasSize(2)
                .last()
                .asString()
                .isEqualTo("          and more: Alertmanager left out " + words);
    }

    @Test
    void escapeSequencesAndLineBreaksOfALabelDoNotReachTheTerminal() {
        assertThat(lines(Terminal.plain(), alert("firing", "a\u001b[31mb\nc\u009bd")))
                .singleElement()
                .asString()
                .endsWith("a [31mb c d");
    }

    @Test
    void aTerminalGetsColours() {
        assertThat(lines(new Terminal(true, true, false), alert("firing", "gone")))
                .singleElement()
                .asString()
                .contains("\u001b[31mFIRING");
    }
}
