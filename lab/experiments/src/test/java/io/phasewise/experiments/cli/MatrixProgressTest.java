/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.matrix.MatrixDocument;
import io.phasewise.experiments.matrix.RowResult;
import io.phasewise.experiments.matrix.RowResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatrixProgressTest {
    @TempDir
    private Path out;

    @Test
    void whatWasFoundIsInTheFilesAfterEveryRow() throws Exception {
        MatrixProgress progress = new MatrixProgress(new OutOption(out), Optional.empty(), begun("a", "b"));
        progress.setUp(Map.of("brokers", "Kafka 4.4"));

        progress.add(RowResults.measured("a", List.of(), ""));

        MatrixDocument kept = kept();
        assertThat(kept.rows()).extracting(RowResult::name).containsExactly("a");
        assertThat(kept.notReached()).containsExactly("b");
        assertThat(kept.circumstances()).containsEntry("brokers", "Kafka 4.4").containsKey("load average at the end");
        assertThat(Files.readString(out.resolve("fault-matrix.md"))).contains("1 not reached (b)");
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("fault-matrix.json", "fault-matrix.md");
        }
    }

    @Test
    void anEarlierRunKeepsTheRowsThatWereNotReached() throws Exception {
        MatrixDocument earlier = begun("a", "b")
                .with(RowResults.measured("a", List.of("then"), ""))
                .with(RowResults.measured("b", List.of("then"), ""));
        MatrixProgress progress = new MatrixProgress(new OutOption(out), Optional.of(earlier), begun("a", "b"));

        progress.add(RowResults.measured("a", List.of(), ""));

        assertThat(kept().rows()).extracting(RowResult::verdict).containsExactly("good", "bad: then");
        assertThat(kept().notReached()).isEmpty();
        assertThat(progress.run().notReached()).as("of this run").containsExactly("b");
    }

    private MatrixDocument kept() throws IOException {
        return MatrixDocument.read(Files.readString(out.resolve("fault-matrix.json")));
    }

    private static MatrixDocument begun(String... rows) {
        return new MatrixDocument("now", "command", "machine", Map.of(), List.of(), List.of(rows), List.of());
    }
}
