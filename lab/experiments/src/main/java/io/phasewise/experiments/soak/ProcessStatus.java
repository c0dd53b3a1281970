/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What Linux says of a process.
 *
 * @param memoryMebibytes its proportional set size: resident pages, each once, shared ones by their
 *     share. The resident set size would count the heap three times under the older ZGC, which maps
 *     it so often.
 * @param threads it has
 */
record ProcessStatus(long memoryMebibytes, long threads) {
    static ProcessStatus of(long pid) throws IOException {
        Path process = Path.of("/proc", Long.toString(pid));
        return new ProcessStatus(
                number(process.resolve("smaps_rollup"), "Pss:") >> 10,
                number(process.resolve("status"), "Threads:"));
    }

    private static long number(Path file, String line) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(each -> each.startsWith(line))
                .mapToLong(each -> Long.parseLong(each.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow(() -> new IOException("no " + line + " in " + file));
    }
}
