/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTreeTest {
    @TempDir
    private Path directory;

    @Test
    void aFileIsReplacedAndOneThatCannotBeStays() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "old");
        FileTree.replace(file, "new");
        assertThat(file).hasContent("new");

        Path taken = Files.createDirectories(directory.resolve("taken/below")).getParent();
        assertThatIOException().isThrownBy(() -> FileTree.replace(taken, "new"));

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(file, taken);
        }
    }
}
