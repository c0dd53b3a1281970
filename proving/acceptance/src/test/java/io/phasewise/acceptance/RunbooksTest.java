/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * There is a runbook for each alert, all have the same structure, and the panels that they name
 * exist. {@link DocumentsTest} checks links and names of series, and deploy's own tests what
 * runbooks say about deployments.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RunbooksTest {
    private static final List<String> SECTIONS =
            List.of("Meaning", "Is it real?", "Who is hurt?", "What to do", "When to wake whom", "False positives");
    private static final Pattern HEADING = Pattern.compile("(?m)^## (.+)$");

    /** The second wording is only for runbooks that somebody has followed, step by step. */
    private static final Pattern FOOT =
            Pattern.compile("(Read only: not followed against a fault|Followed against: .+)\\.\n$");

    private static final Pattern DASHBOARD = Pattern.compile("\\*(Kafka [^*]+)\\*(?:: ([^*\n]+))?");
    private static final Pattern PANEL = Pattern.compile("\\G(?:, )?\"([^\"]+)\"");

    /** The text of each runbook, by its alert. */
    private final Map<String, String> runbooks = new TreeMap<>();

    /** The panels of each dashboard, by title. */
    private final Map<String, Set<String>> dashboards = new TreeMap<>();

    @BeforeAll
    void readWhatThereIs() throws IOException {
        for (Path file : Repository.files("alerting/runbooks", "")) {
            runbooks.put(file.getFileName().toString().replace(".md", ""), Repository.text(file));
        }
        for (Path file : Repository.files("dashboards/generated", ".json")) {
            JsonNode dashboard = new ObjectMapper().readTree(file.toFile());
            dashboards.put(
                    dashboard.path("title").asText(),
                    dashboard.findParents("gridPos").stream()
                            .map(panel -> panel.path("title").asText())
                            // Titles as they look with the first percentile chosen.
                            .map(title -> title.replace("${percentile:text}", "p99"))
                            .collect(Collectors.toSet()));
        }
        assertThat(dashboards).hasSizeGreaterThan(10);
    }

    @Test
    void everyAlertHasARunbookAndEveryRunbookAnAlert() {
        String rules = Repository.files("prometheus/rules", ".yml").stream()
                .map(Repository::text)
                .collect(Collectors.joining());
        Set<String> alerts = Repository.found("(?m)^ +- alert: (\\w+)$", rules);

        assertThat(alerts).hasSizeGreaterThan(30);
        assertThat(runbooks.keySet()).containsExactlyInAnyOrderElementsOf(alerts);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    void everyRunbookHasTheSameSections(String alert, String text) {
        assertThat(text).startsWith("# " + alert + "\n").containsPattern(FOOT);
        List<String> headings =
                HEADING.matcher(text).results().map(found -> found.group(1)).toList();
        assertThat(headings).startsWith(SECTIONS.toArray(String[]::new));
        assertThat(headings.subList(SECTIONS.size(), headings.size())).isSubsetOf("After");
        assertThat(section(text, "Meaning")).endsWith(".");
        assertThat(section(text, "Is it real?").lines().filter(l -> l.startsWith("- ")))
                .as("checks")
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(section(text, "What to do")).containsPattern("(?m)^1\\. ");
        assertThat(headings).allSatisfy(h -> assertThat(section(text, h)).isNotBlank());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("all")
    void everyPanelThatARunbookNamesIsOnThatDashboard(String alert, String text) {
        int named = 0;
        for (MatchResult mention : DASHBOARD.matcher(text).results().toList()) {
            String title = mention.group(1);
            assertThat(dashboards).containsKey(title);
            Matcher panel = PANEL.matcher(mention.group(2) == null ? "" : mention.group(2));
            while (panel.find()) {
                named++;
                assertThat(dashboards.get(title)).as(title).contains(panel.group(1));
            }
        }
        assertThat(named > 0 || text.contains("No dashboard has a panel for this."))
                .as("names a panel, or says that there is none")
                .isTrue();
    }

    private Stream<Arguments> all() {
        return runbooks.entrySet().stream().map(e -> Arguments.of(e.getKey(), e.getValue()));
    }

    /** The text between a heading and the next one, or the last line. */
    private static String section(String text, String heading) {
        String rest = text.split("(?m)^## " + Pattern.quote(heading) + "$", 2)[1];
        return rest.split("(?m)^## |^Read only: |^Followed against: ", 2)[0].strip();
    }
}
