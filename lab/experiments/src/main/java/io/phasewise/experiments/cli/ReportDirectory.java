/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import io.phasewise.experiments.plan.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Where {@code --out} leads, looked at before anything is started: a run takes its time. */
final class ReportDirectory {
    private ReportDirectory() {}

    /** What speaks against it, for people; makes nothing. */
    static Optional<String> fault(Path out) {
        // What is not there is made in the nearest that is.
        Path nearest = out.toAbsolutePath();
        while (!Files.exists(nearest)) {
            nearest = nearest.getParent();
        }
        if (!Files.isDirectory(nearest)) {
            return refused(out, nearest + " is not a directory");
        }
        return Files.isWritable(nearest)
                ? Optional.empty()
                : refused(out, nearest + " cannot be written");
    }

    /**
     * Makes it.
     *
     * @throws UsageException when the system refuses
     */
    static void make(Path out) throws UsageException {
        try {
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new UsageException(
                    List.of(refused(out, "it cannot be made: " + e).orElseThrow()));
        }
    }

    private static Optional<String> refused(Path out, String why) {
        return Optional.of("--out: " + out + ": " + why + "; allowed: a directory to write to");
    }
}
