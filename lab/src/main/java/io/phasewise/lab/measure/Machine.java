/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Describes this machine and its load, each in one line. */
public final class Machine {
    private Machine() {}

    /** Processors, memory, kernel and JDK. */
    public static String describe() {
        return String.format(
                Locale.ROOT,
                "%d processors (%s), %s memory, %s %s, JDK %s",
                Runtime.getRuntime().availableProcessors(),
                field("/proc/cpuinfo", "model name"),
                memory(),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("java.runtime.version"));
    }

    /**
     * The content of /proc/loadavg: load over 1, 5 and 15 minutes, runnable threads of all threads,
     * and the last pid.
     *
     * @throws IOException when it cannot be read
     */
    public static String loadAverage() throws IOException {
        return Files.readString(Path.of("/proc/loadavg")).strip();
    }

    private static String memory() {
        String kibibytes = field("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
        return kibibytes.isEmpty() ? "unknown" : (Long.parseLong(kibibytes) >> 20) + " GiB";
    }

    private static String field(String file, String name) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
