/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A log that a process goes on writing: each line is read once, when it is whole. */
final class GrowingLog {
    private static final int CHUNK = 1 << 20;

    private final Path file;
    private long read;

    /**
     * @param file there when it is first read
     */
    GrowingLog(Path file) {
        this.file = file;
    }

    /**
     * Reads what was added since.
     *
     * @param lines takes each, in order
     * @throws IOException when the log cannot be read
     */
    void read(Consumer<String> lines) throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            byte[] chunk = new byte[CHUNK];
            while (true) {
                log.seek(read);
                int end = log.read(chunk);
                while (end > 0 && chunk[end - 1] != '\n') {
                    end--;
                }
                if (end <= 0) {
                    return;
                }
                new String(chunk, 0, end, StandardCharsets.UTF_8).lines().forEach(lines);
                read += end;
            }
        }
    }
}
