/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.plan.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where results go; looked at before anything is started, for a run takes its time. */
final class OutOption {
    @Option(
            names = "--out",
            paramLabel = "DIRECTORY",
            description =
                    "Directory for results (${DEFAULT-VALUE}): NAME.md, a picture and every probe;"
                            + " of the matrix fault-matrix.md and .json. Those of an earlier run"
                            + " are replaced.")
    private Path directory = Path.of("lab-results");

    OutOption() {}

    OutOption(Path directory) {
        this.directory = directory;
    }

    /** The directory, or a file in it. */
    Path resolve(String name) {
        return directory.resolve(name);
    }

    /** What speaks against it, for people; makes nothing. */
    Optional<String> fault() {
        // What is not there is made in the nearest that is.
        Path nearest = directory.toAbsolutePath();
        while (!Files.exists(nearest)) {
            nearest = nearest.getParent();
        }
        if (!Files.isDirectory(nearest)) {
            return Optional.of(refused(nearest + " is not a directory"));
        }
        return Files.isWritable(nearest)
                ? Optional.empty()
                : Optional.of(refused(nearest + " cannot be written"));
    }

    /**
     * Makes it.
     *
     * @throws UsageException when the system refuses
     */
    Path make() throws UsageException {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UsageException(refused("it cannot be made: " + e));
        }
    }

    private String refused(String why) {
        return "--out: " + directory + ": " + why + "; allowed: a directory to write to";
    }

    /**
     * Writes a file in place of what is there: whoever reads it while a run goes on, or ends the
     * run, finds the whole of the last writing.
     *
     * @throws IOException when it cannot be; what was there stays
     */
    void write(String name, String content) throws IOException {
        Path fresh = resolve(name + ".new");
        try {
            Files.writeString(fresh, content);
            Files.move(
                    fresh,
                    resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
