/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import io.phasewise.lab.process.LogTail;
import io.phasewise.lab.stack.LaunchException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Copies what is added to a log file, from one file to the next when a new one takes its place. */
final class LogFollower {

    private static final long LOOK_MILLIS = 200;

    private final Path log;
    private final OutputStream out;

    LogFollower(Path log, OutputStream out) {
        this.log = log;
        this.out = out;
    }

    /**
     * Shows the last lines, then goes on until interrupted.
     *
     * @param lines how many of those that are there
     */
    void follow(int lines) throws LaunchException, InterruptedException {
        try {
            long position = Files.size(log);
            Object file = key();
            List<String> tail = LogTail.of(log, lines);
            for (String line : tail) {
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
            while (true) {
                Object now = key();
                if (now != null && !Objects.equals(now, file)) {
                    file = now;
                    position = 0;
                }
                position = copyFrom(position, now);
                out.flush();
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (IOException unreadable) {
            throw LaunchException.failed("cannot read " + log + ": " + unreadable, unreadable);
        }
    }

    /** What tells this file from the next one of its name; null while there is none. */
    Object key() throws IOException {
        try {
            return Files.readAttributes(log, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException betweenTwoRuns) {
            return null;
        }
    }

    /**
     * Copies what the log has beyond a position; nothing when it is not the expected file.
     *
     * @return the position from which to go on
     */
    long copyFrom(long position, Object expected) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            if (!Objects.equals(key(), expected)) {
                // Replaced just now: the next look begins with all of the new one.
                return position;
            }
            long length = file.length();
            // Shorter than before: it was emptied.
            long from = length < position ? 0 : position;
            file.seek(from);
            byte[] chunk = new byte[64 * 1024];
            long left = length - from;
            while (left > 0) {
                int read = file.read(chunk, 0, (int) Math.min(chunk.length, left));
                if (read < 0) {
                    break;
                }
                out.write(chunk, 0, read);
                left -= read;
            }
            return length - left;
        } catch (FileNotFoundException notOpened) {
            // Between two runs there is none.
            if (Files.exists(log) && !Files.isReadable(log)) {
                throw notOpened;
            }
            return position;
        }
    }
}
