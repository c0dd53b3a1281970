/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How busy the whole machine's processors were so far, from /proc/stat (proc(5)).
 *
 * @param busy ticks in which something ran
 * @param all ticks
 */
record ProcessorTime(long busy, long all) {
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;

    static ProcessorTime now() throws IOException {
        String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
        long all = 0;
        for (int i = 1; i <= 8; i++) {
            all += Long.parseLong(fields[i]);
        }
        long idle = Long.parseLong(fields[IDLE + 1]) + Long.parseLong(fields[IO_WAIT + 1]);
        return new ProcessorTime(all - idle, all);
    }

    /** The busy share since an earlier reading. */
    double shareSince(ProcessorTime earlier) {
        return (busy - earlier.busy) / (double) Math.max(1, all - earlier.all);
    }
}
