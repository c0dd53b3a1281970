/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.run;

import io.phasewise.experiments.load.Producers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.IntStream;

/**
 * What a load and the whole machine's processors have done up to one instant.
 *
 * @param at the instant
 * @param nanos the same, monotonic
 * @param acknowledged records of the load
 * @param failed records of the load: refused by brokers, timed out, or without room in a buffer
 * @param bytes of the load that left for the brokers
 * @param busyTicks in which something ran on a processor, from /proc/stat (proc(5))
 * @param ticks all of them
 */
record WorkCounters(Instant at, long nanos, long acknowledged, long failed, double bytes, long busyTicks, long ticks) {
    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;

    /**
     * Counts now.
     *
     * @param load null where there is none
     * @throws IOException where Linux does not tell of its processors
     */
    static WorkCounters now(Producers load) throws IOException {
        String[] fields = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
        long all = IntStream.rangeClosed(1, 8)
                .mapToLong(i -> Long.parseLong(fields[i]))
                .sum();
        long idle = Long.parseLong(fields[IDLE]) + Long.parseLong(fields[IO_WAIT]);
        return new WorkCounters(
                Instant.now(),
                System.nanoTime(),
                load == null ? 0 : load.acknowledged(),
                load == null ? 0 : load.refused(),
                load == null ? 0 : load.sentBytes(),
                all - idle,
                all);
    }
}
