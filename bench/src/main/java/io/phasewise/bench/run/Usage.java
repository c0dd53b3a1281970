/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel knows of a process at one instant (Linux).
 *
 * @param cpuSeconds processor time so far, user and system
 */
public record Usage(double cpuSeconds) {
    /** Fixed on all Linux platforms that a JDK exists for. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int FIELDS_AFTER_NAME = 2;
    private static final int USER_TIME = 14;
    private static final int SYSTEM_TIME = 15;

    /**
     * Looks.
     *
     * @throws UncheckedIOException when there is no such process
     */
    public static Usage of(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The name in parentheses may hold blanks; count fields from behind it.
            String[] fields = stat.substring(stat.lastIndexOf(')') + FIELDS_AFTER_NAME).split(" ");
            int first = FIELDS_AFTER_NAME + 1;
            return new Usage(
                    (Double.parseDouble(fields[USER_TIME - first])
                                    + Double.parseDouble(fields[SYSTEM_TIME - first]))
                            / TICKS_PER_SECOND);
        } catch (IOException e) {
            throw new UncheckedIOException("no process " + pid, e);
        }
    }
}
