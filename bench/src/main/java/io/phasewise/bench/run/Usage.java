/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the kernel knows of a process at one instant (Linux).
 *
 * @param cpuSeconds processor time so far, user and system
 * @param residentBytes memory it occupies
 * @param threads of all kinds, the collector's too
 */
public record Usage(double cpuSeconds, long residentBytes, long threads) {
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
            List<String> status = Files.readAllLines(Path.of("/proc/" + pid + "/status"));
            return new Usage(
                    cpuSeconds(stat), number(status, "VmRSS:") * 1024, number(status, "Threads:"));
        } catch (IOException e) {
            throw new UncheckedIOException("no process " + pid, e);
        }
    }

    /** User and system time in what the kernel says of a process or a thread, in seconds. */
    static double cpuSeconds(String stat) {
        // The name in parentheses may hold blanks; count fields from behind it.
        String[] fields = stat.substring(stat.lastIndexOf(')') + FIELDS_AFTER_NAME).split(" ");
        int first = FIELDS_AFTER_NAME + 1;
        return (Double.parseDouble(fields[USER_TIME - first])
                        + Double.parseDouble(fields[SYSTEM_TIME - first]))
                / TICKS_PER_SECOND;
    }

    /**
     * How many sockets a process holds open.
     *
     * @throws UncheckedIOException when there is no such process
     */
    public static long sockets(long pid) {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.filter(Usage::isSocket).count();
        } catch (IOException e) {
            throw new UncheckedIOException("no process " + pid, e);
        }
    }

    /**
     * How many files a process holds open, sockets included: what the limit of open files is about.
     *
     * @throws UncheckedIOException when there is no such process
     */
    public static long files(long pid) {
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException("no process " + pid, e);
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException closedMeanwhile) {
            return false;
        }
    }

    private static long number(List<String> status, String key) {
        return status.stream()
                .filter(line -> line.startsWith(key))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
                .findFirst()
                .orElse(0);
    }
}
