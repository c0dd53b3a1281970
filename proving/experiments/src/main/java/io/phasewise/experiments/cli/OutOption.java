/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.common.cli.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where results go. It is checked before anything is started, as a run takes long. */
final class OutOption {
    @Option(
            names = "--out",
            paramLabel = "DIRECTORY",
            description = "Where results go (${DEFAULT-VALUE}). Of an experiment: NAME.md and every probe, in place of"
                    + " those of an earlier run. Of the matrix: fault-matrix.md, and a file in runs/ for each run.")
    private Path directory = Path.of("lab-results");

    OutOption() {}

    OutOption(Path directory) {
        this.directory = directory;
    }

    /** The directory, or a file in it. */
    Path resolve(String name) {
        return directory.resolve(name);
    }

    /**
     * Makes the directory.
     *
     * @throws UsageException when it cannot be made or written to
     */
    Path make() {
        String why = "it cannot be written";
        try {
            if (Files.isWritable(Files.createDirectories(directory))) {
                return directory;
            }
        } catch (IOException e) {
            why = "it cannot be made: " + e;
        }
        throw new UsageException("--out: " + directory + ": " + why + "; allowed: a directory to write to");
    }
}
