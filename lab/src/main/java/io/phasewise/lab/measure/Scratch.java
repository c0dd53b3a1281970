/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A directory for the files of one run, which goes with it.
 *
 * @param directory exists until this is closed
 */
public record Scratch(Path directory) implements AutoCloseable {

    /** Makes one. */
    public static Scratch create() throws IOException {
        return new Scratch(Files.createTempDirectory("phasewise-run"));
    }

    /** Deletes it with all that is in it. */
    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
