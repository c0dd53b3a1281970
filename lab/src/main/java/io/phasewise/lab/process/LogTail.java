/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The end of a log file, without reading the rest of it. */
public final class LogTail {

    /** Enough for the longest stack trace anyone wants to read in an exception message. */
    private static final int WINDOW_BYTES = 256 * 1024;

    private LogTail() {}

    /**
     * The last lines of a file.
     *
     * @param lines how many at most
     * @return oldest first; empty when the file cannot be read
     */
    public static List<String> of(Path file, int lines) {
        byte[] window;
        boolean cut;
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, log.length() - WINDOW_BYTES);
            cut = from > 0;
            log.seek(from);
            window = new byte[(int) (log.length() - from)];
            log.readFully(window);
        } catch (IOException unreadable) {
            return List.of();
        }
        List<String> all = new String(window, StandardCharsets.UTF_8).lines().toList();
        // The first line of a window that does not start the file is a piece of one.
        int first = Math.max(cut ? 1 : 0, all.size() - lines);
        return all.subList(Math.min(first, all.size()), all.size());
    }
}
