/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.row.Row;
import io.phasewise.lab.junit.ReferencePage;
import io.phasewise.lab.measure.EvidenceRun;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of evidence say what the files of the runs say; {@code docs/generate} writes them. */
class EvidenceTest {
    private static final Path RUNS =
            Path.of(System.getProperty("phasewise.root")).resolve("docs/evidence/runs");

    @Test
    void theReferenceOfTheFaultMatrixIsMadeOfItsRuns() throws IOException {
        new ReferencePage("../evidence/fault-matrix.md")
                .holds(MatrixRuns.read(RUNS).markdown(Row.texts()));
    }

    @ParameterizedTest
    @CsvSource({
        "fault-phases, fault-phases.md",
        "held-faults, held-faults.md",
        "mark-faults, marks.md",
        "random-faults, suspects.md",
        "restarts, pages.md",
        "starts, pages.md"
    })
    void theReferenceOfATestIsMadeOfItsRuns(String test, String page) throws IOException {
        new ReferencePage("../evidence/" + page)
                .holds("runs of " + test, EvidenceRun.markdown(EvidenceRun.all(RUNS, test)));
    }

    /** Their figures are in the files alone. */
    @ParameterizedTest
    @ValueSource(strings = {"long-tests", "request-timing-matrix", "mutations"})
    void theReferenceOfATestSaysTheVerdictsOfItsRuns(String test) throws IOException {
        new ReferencePage("../evidence/README.md")
                .holds("runs of " + test, EvidenceRun.table(EvidenceRun.all(RUNS, test)));
    }

    @Test
    void whatIsDeclaredIsNotChangedInSilenceAfterARun() throws IOException {
        assertThat(MatrixRuns.read(RUNS).changedInSilence(Row.texts()))
                .as("rows declared otherwise since their last run: say so in changed-declarations.json")
                .isEmpty();
    }

    @Test
    void everyRowOfTheMatrixHasAnAttemptOrIsSaidNotToHaveRun() throws IOException {
        MatrixRuns runs = MatrixRuns.read(RUNS);
        Set<String> shown = Stream.concat(runs.last().stream().map(RowResult::name), runs.notReached().stream())
                .collect(Collectors.toSet());
        List<String> missing = new ArrayList<>(Row.all().stream().map(Row::name).toList());
        missing.removeAll(shown);
        assertThat(missing).as("rows of which no run says anything").isEmpty();
    }
}
