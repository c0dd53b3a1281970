/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import io.phasewise.lab.process.CommandOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Has the system forget what it keeps of files in memory, so that they are read from the disk again.
 * Other files stay where they are. It uses dd, which GNU's coreutils have.
 */
public final class PageCache {
    private static final Duration BOUND = Duration.ofSeconds(120);

    private PageCache() {}

    /**
     * Forces the files of a directory to the disk and has their pages forgotten.
     *
     * @param suffix of the names of those files
     * @throws IOException when the system refuses; the message has its words
     * @throws InterruptedException when interrupted
     */
    public static void forget(Path directory, String suffix) throws IOException, InterruptedException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.toString().endsWith(suffix)).toList();
        }
        for (Path file : files) {
            dd("of=" + file, "conv=notrunc,fsync", "oflag=nocache,append", "if=/dev/null");
            dd("if=" + file, "iflag=nocache", "of=/dev/null", "count=0");
        }
    }

    private static void dd(String... arguments) throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(Stream.of("dd"), Stream.of(arguments)).toList();
        CommandOutput done = CommandOutput.of(command, null, BOUND);
        if (done.status() != 0) {
            throw new IOException(String.join(" ", command) + ": " + done.text());
        }
    }
}
