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
 * What the load and the machine's processors have done up to an instant.
 *
 * @param at the instant
 * @param nanos the same, monotonic
 * @param acknowledged records of the load
 * @param failed records of the load: refused by brokers, timed out, or without room in the buffer
 * @param bytes of the load that were sent to the brokers
 * @param busyTicks clock ticks in which a processor was busy, from /proc/stat (proc(5))
 * @param ticks all clock ticks of all processors
 */
record WorkCounters(Instant at, long nanos, long acknowledged, long failed, double bytes, long busyTicks, long ticks) {
    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;

    /**
     * Reads the counters now.
     *
     * @param load null when there is none
     * @throws IOException when /proc/stat cannot be read
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
