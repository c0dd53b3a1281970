/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The parts of a log file that explain a failure: its end, and the first errors. */
public final class LogTail {

    /**
     * Enough for a long stack trace, and for all that a server logs while it shuts down after it.
     */
    private static final int WINDOW_BYTES = 512 * 1024;

    /** How many errors are shown. The first are the cause, later ones its consequences. */
    private static final int ERRORS = 3;

    private static final int LINES_OF_AN_ERROR = 6;

    /**
     * Errors as brokers, Prometheus and Grafana log them, and uncaught exceptions.
     */
    private static final Pattern ERROR =
            Pattern.compile("\\b(?:ERROR|FATAL)\\b|\\blevel=(?:error|fatal)\\b|^Exception in thread|^panic: ");

    private LogTail() {}

    /**
     * The last lines of a file.
     *
     * @param lines how many at most
     * @return oldest first; empty when the file cannot be read
     */
    public static List<String> of(Path file, int lines) {
        List<String> all = window(file, 0);
        return all.subList(Math.max(0, all.size() - lines), all.size());
    }

    /**
     * Why a process may have ended: the first errors with what follows them, then the last lines.
     *
     * @param from offset in the file at which its output begins, bytes
     * @param lines how many of the last lines at most
     * @return oldest first, gaps marked with dots; empty when the file cannot be read
     */
    static List<String> excerpt(Path file, long from, int lines) {
        List<String> all = window(file, from);
        int tail = Math.max(0, all.size() - lines);
        List<String> excerpt = new ArrayList<>();
        int errors = 0;
        int end = 0;
        for (int i = 0; i < tail && errors < ERRORS; i++) {
            if (ERROR.matcher(all.get(i)).find()) {
                if (i > end) {
                    excerpt.add("...");
                }
                end = Math.min(i + LINES_OF_AN_ERROR, tail);
                excerpt.addAll(all.subList(i, end));
                i = end - 1;
                errors++;
            }
        }
        if (tail > end) {
            excerpt.add("...");
        }
        excerpt.addAll(all.subList(tail, all.size()));
        return excerpt;
    }

    /** The whole lines from an offset on; only the last ones when there are many. */
    private static List<String> window(Path file, long from) {
        byte[] window;
        boolean cut;
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long length = log.length();
            // A file that is shorter than the offset has been replaced, so all of it is new.
            long first = from <= length ? from : 0;
            long start = Math.max(first, length - WINDOW_BYTES);
            cut = start > first;
            log.seek(start);
            window = new byte[(int) (length - start)];
            log.readFully(window);
        } catch (IOException unreadable) {
            return List.of();
        }
        List<String> all = new String(window, StandardCharsets.UTF_8).lines().toList();
        // The first line of a window that does not start at a line's start is a piece of one.
        return cut && !all.isEmpty() ? all.subList(1, all.size()) : all;
    }
}
