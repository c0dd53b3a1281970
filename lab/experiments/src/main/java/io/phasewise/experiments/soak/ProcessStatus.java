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
 * @param residentMebibytes its memory
 * @param threads it has
 */
record ProcessStatus(long residentMebibytes, long threads) {
    static ProcessStatus of(long pid) throws IOException {
        long kibibytes = 0;
        long threads = 0;
        for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
            if (line.startsWith("VmRSS:")) {
                kibibytes = Long.parseLong(line.replaceAll("\\D", ""));
            } else if (line.startsWith("Threads:")) {
                threads = Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return new ProcessStatus(kibibytes >> 10, threads);
    }
}
