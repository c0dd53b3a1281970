/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The end of small, large and missing files. */
class LogTailTest {

    @TempDir
    Path directory;

    @Test
    void isTheLastLines() throws IOException {
        assertThat(LogTail.of(file("a\nb\nc\n"), 2)).containsExactly("b", "c");
        assertThat(LogTail.of(file("a\nb"), 5)).containsExactly("a", "b");
        assertThat(LogTail.of(directory.resolve("none"), 5)).isEmpty();
    }

    @Test
    void holdsNoPieceOfALineThatWasReadInPart() throws IOException {
        String line = "x".repeat(1_000);
        Path large = file(String.join("\n", Collections.nCopies(1_000, line)));

        assertThat(LogTail.of(large, 100_000)).isNotEmpty().allMatch(line::equals);
    }

    /** Lines are between slashes; this run's begin at a byte. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    the first errors and the last lines  | i/ERROR b/at B/1/2/3/4/5/y/z | 0     | 2  | .../ERROR b/at B/1/2/3/4/.../y/z
                    no error again among the last lines  | a/ERROR b/c                  | 0     | 2  | .../ERROR b/c
                    nothing of earlier runs              | ERROR x/now                  | 8     | 10 | now
                    all of a log that was replaced       | new                          | 1000  | 10 | new
                    """)
    void anExcerptHas(String what, String log, long from, int lines, String excerpt) throws IOException {
        Path file = file(log.replace('/', '\n') + "\n");

        assertThat(LogTail.excerpt(file, from, lines)).containsExactly(excerpt.split("/"));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("log"), text);
    }
}
