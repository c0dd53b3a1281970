/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.matrix.page.MatrixRuns;
import io.phasewise.experiments.matrix.result.MatrixRun;
import io.phasewise.experiments.matrix.result.RowResult;
import io.phasewise.experiments.matrix.result.RowResults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatrixProgressTest {
    @TempDir
    private Path out;

    @Test
    void whatWasFoundIsInTheFilesAfterEveryRow() throws Exception {
        MatrixProgress progress = new MatrixProgress(new OutOption(out), begun("2026-01-01T10:00:00Z", "a", "b"));
        progress.setUp(Map.of("brokers", "Kafka 4.4"));

        progress.add(RowResults.measured("a", List.of(), ""));

        MatrixRun kept = MatrixRuns.read(out.resolve("runs")).all().get(0);
        assertThat(kept.rows()).extracting(RowResult::name).containsExactly("a");
        assertThat(kept.notReached()).containsExactly("b");
        assertThat(kept.circumstances()).containsEntry("brokers", "Kafka 4.4").containsKey("load average at the end");
        assertThat(Files.readString(out.resolve("fault-matrix.md"))).contains("1 not reached (b)");
        try (Stream<Path> files = Files.walk(out)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> out.relativize(file).toString()))
                    .containsExactlyInAnyOrder("runs/2026-01-01T100000Z-fault-matrix.json", "fault-matrix.md");
        }
    }

    @Test
    void noRunReplacesAnother() throws Exception {
        MatrixProgress first = new MatrixProgress(new OutOption(out), begun("2026-01-01T10:00:00Z", "a", "b"));
        first.add(RowResults.measured("a", List.of("then"), ""));
        first.add(RowResults.measured("b", List.of("then"), ""));
        MatrixProgress second = new MatrixProgress(new OutOption(out), begun("2026-01-02T10:00:00Z", "a"));

        second.add(RowResults.measured("a", List.of(), ""));

        assertThat(MatrixRuns.read(out.resolve("runs")).all()).hasSize(2);
        assertThat(Files.readString(out.resolve("fault-matrix.md")))
                .containsPattern("\\| a +\\| 2026-01-01T10:00:00Z \\| unknown +\\| bad: then ")
                .containsPattern("\\| +\\| 2026-01-02T10:00:00Z \\| unknown +\\| good ");
    }

    private static MatrixRun begun(String started, String... rows) {
        return new MatrixRun(
                started, "command", "machine", Map.of(), List.of(), Map.of(), List.of(), List.of(rows), List.of());
    }
}
