/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Alertmanager's two configurations and the page about them agree. {@link MonitoringConfigIT}
 * checks that Alertmanager accepts them, {@link AlertmanagerIT} what it does with them.
 */
class AlertmanagerConfigTest {
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!=|=)\"(.*)\"");

    private final JsonNode local = Repository.yaml("alerting/alertmanager.yml");

    @Test
    void productionRoutesAndInhibitsAsTheLocalStackDoesButForMuteTimes() {
        JsonNode production = Repository.yaml("alerting/production.yml");

        assertThat(production.get("inhibit_rules")).isEqualTo(local.get("inhibit_rules"));
        JsonNode route = production.get("route");
        for (JsonNode muted : route.findParents("mute_time_intervals")) {
            ((ObjectNode) muted).remove("mute_time_intervals");
        }
        assertThat(route).isEqualTo(local.get("route"));
    }

    @Test
    void thePageSaysWhatHoldsBackWhat() {
        String section = Repository.text("alerting/README.md").split("(?m)^## What holds back what$", 2)[1];
        List<String> rows = section.split("(?m)^## ", 2)[0]
                .lines()
                .filter(line -> line.startsWith("| "))
                .skip(1) // the headings
                .toList();

        assertThat(rows)
                .containsExactlyElementsOf(
                        StreamSupport.stream(local.get("inhibit_rules").spliterator(), false)
                                .map(AlertmanagerConfigTest::row)
                                .toList())
                .hasSizeGreaterThan(10);
    }

    private static String row(JsonNode rule) {
        return "| " + alerts(rule.get("source_matchers")) + " | " + alerts(rule.get("target_matchers")) + " | "
                + String.join(", ", texts(rule.get("equal"))) + " |";
    }

    /** A matcher in words: the names of alerts, then their other labels. */
    private static String alerts(JsonNode matchers) {
        String names = "every alert";
        List<String> others = new ArrayList<>();
        for (String text : texts(matchers)) {
            Matcher matcher = MATCHER.matcher(text);
            assertThat(matcher.matches()).as(text).isTrue();
            if (!matcher.group(1).equals("alertname")) {
                others.add("`" + text + "`");
            } else {
                String value = matcher.group(3).replace("|", ", ");
                names = matcher.group(2).startsWith("!") ? "every alert but " + value : value;
            }
        }
        return others.isEmpty() ? names : names + " with " + String.join(", ", others);
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
