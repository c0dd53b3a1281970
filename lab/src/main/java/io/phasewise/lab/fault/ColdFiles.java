/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/** Has the system forget the contents of files, so that whoever reads them next waits for the disk. */
public final class ColdFiles {
    private static final Duration BOUND = Duration.ofSeconds(30);

    private ColdFiles() {}

    /**
     * Writes a file's contents to its disk and drops them from the page cache (posix_fadvise, by dd). Needs no rights but
     * those of the file's owner. What is being written meanwhile stays.
     *
     * @throws IOException when there is no such file, or no dd of coreutils
     * @throws InterruptedException when interrupted
     */
    public static void cool(Path file) throws IOException, InterruptedException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(false); // what is not on the disk cannot be dropped
        }
        CommandOutput dropped =
                CommandOutput.of(List.of("dd", "if=" + file, "iflag=nocache", "count=0", "status=none"), null, BOUND);
        if (dropped.status() != 0) {
            throw new IOException("dd drops no cache of " + file + ": " + dropped.text());
        }
    }
}
