/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of small, large and missing files. */
class LogTailTest {

    @TempDir Path directory;

    @Test
    void isTheLastLines() throws IOException {
        assertThat(LogTail.of(file("a\nb\nc\n"), 2)).containsExactly("b", "c");
    }

    @Test
    void isAllOfAShortFile() throws IOException {
        assertThat(LogTail.of(file("a\nb"), 5)).containsExactly("a", "b");
    }

    @Test
    void isNothingOfAMissingFile() {
        assertThat(LogTail.of(directory.resolve("none"), 5)).isEmpty();
    }

    @Test
    void holdsNoPieceOfALineThatWasReadInPart() throws IOException {
        String line = "x".repeat(1_000);
        Path large =
                file(
                        IntStream.range(0, 1_000)
                                .mapToObj(i -> line)
                                .collect(Collectors.joining("\n")));
        assertThat(LogTail.of(large, 100_000)).isNotEmpty().allMatch(line::equals);
    }

    @Test
    void anExcerptHasTheFirstErrorsAndTheLastLines() throws IOException {
        Path log =
                file(
                        """
                        INFO starting
                        ERROR cannot bind
                          at Server.bind
                        1
                        2
                        3
                        4
                        5
                        INFO stopping
                        INFO stopped
                        """);
        assertThat(LogTail.excerpt(log, 0, 2))
                .containsExactly(
                        "...",
                        "ERROR cannot bind",
                        "  at Server.bind",
                        "1",
                        "2",
                        "3",
                        "4",
                        "...",
                        "INFO stopping",
                        "INFO stopped");
    }

    @Test
    void anExcerptDoesNotRepeatAnErrorThatIsAmongTheLastLines() throws IOException {
        assertThat(LogTail.excerpt(file("a\nERROR b\nc\n"), 0, 2))
                .containsExactly("...", "ERROR b", "c");
    }

    @Test
    void anExcerptHoldsNothingOfEarlierRuns() throws IOException {
        String earlier = "ERROR of an earlier run\nand its end\n";
        assertThat(LogTail.excerpt(file(earlier + "now\n"), earlier.length(), 10))
                .containsExactly("now");
    }

    @Test
    void anExcerptOfALogThatWasReplacedIsAllOfIt() throws IOException {
        assertThat(LogTail.excerpt(file("new\n"), 1_000, 10)).containsExactly("new");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("log"), text);
    }
}
