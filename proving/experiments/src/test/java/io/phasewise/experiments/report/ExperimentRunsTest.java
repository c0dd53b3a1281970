/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import static io.phasewise.lab.junit.ReferencePage.headings;
import static io.phasewise.lab.junit.ReferencePage.row;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.phasewise.experiments.plan.Experiment;
import io.phasewise.lab.junit.ReferencePage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The page of the experiments says what the files of their runs say; {@code docs/generate} writes it. */
class ExperimentRunsTest {
    private static final Path RUNS =
            Path.of(System.getProperty("phasewise.root")).resolve("docs/evidence/runs/experiments");

    /** Of the first table of a run, in its order. */
    private static final List<String> COLUMNS =
            List.of("variant", "against", "verdict", "p50 ratio", "p99 ratio", "mean, ms more");

    private static final int VERDICT = COLUMNS.indexOf("verdict");

    @Test
    void theReferenceOfTheExperimentsIsMadeOfTheirRuns() throws IOException {
        String headings = headings(
                Stream.concat(Stream.of("experiment"), COLUMNS.stream()).toArray(String[]::new));
        StringBuilder asked = new StringBuilder(headings("experiment", "run of", "question"));
        StringBuilder claimed = new StringBuilder(headings);
        StringBuilder inconclusive = new StringBuilder(headings);
        StringBuilder commands = new StringBuilder();
        for (Experiment experiment : Experiment.all()) {
            List<Path> files = files(experiment.name());
            assertThat(files).as("runs of " + experiment.name()).isNotEmpty();
            for (Path file : files) {
                JsonNode run = new ObjectMapper().readTree(file.toFile());
                String day = run.path("started").asText().substring(0, 10);
                String link = "[" + experiment.name() + "](runs/experiments/" + file.getFileName() + ")";
                asked.append(row(link, day, run.path("question").asText()));
                commands.append(run.path("command").asText()).append('\n');
                JsonNode differences = run.path("tables").path(0);
                assertThat(texts(differences.path("columns")))
                        .as(file.toString())
                        .startsWith(COLUMNS.toArray(String[]::new));
                for (JsonNode difference : differences.path("rows")) {
                    List<String> cells = new ArrayList<>(List.of(experiment.name()));
                    cells.addAll(texts(difference).subList(0, COLUMNS.size()));
                    boolean nothing = difference.path(VERDICT).asText().matches("(no difference shown|not judged).*");
                    (nothing ? inconclusive : claimed).append(row(cells.toArray(String[]::new)));
                }
            }
        }
        new ReferencePage("../evidence/experiments.md")
                .holds("runs of experiments", """
                        %s
                        **A difference is claimed**, end to end:

                        %s
                        **Inconclusive**, end to end. *No difference shown* is no proof that there is none.

                        %s
                        **The commands**

                        ```
                        %s```
                        """.formatted(asked, claimed, inconclusive, commands));
    }

    private static List<Path> files(String experiment) throws IOException {
        try (Stream<Path> all = Files.list(RUNS)) {
            return all.filter(file -> file.getFileName().toString().endsWith("Z-" + experiment + ".json"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> texts(JsonNode cells) {
        return StreamSupport.stream(cells.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
