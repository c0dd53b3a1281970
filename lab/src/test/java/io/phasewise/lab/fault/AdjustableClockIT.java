/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.lab.process.Programs;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A JVM whose clock is wrong, asked for the time. */
class AdjustableClockIT {

    private static final long WAIT_NANOS = 50_000_000;

    /** Says wall clock, monotonic clock and how long a wait takes for every line it reads. */
    static final class Speaker {
        private Speaker() {}

        public static void main(String[] arguments) throws IOException {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
            while (in.readLine() != null) {
                long wall = System.currentTimeMillis();
                long monotonic = System.nanoTime();
                LockSupport.parkNanos(WAIT_NANOS);
                long waited = System.nanoTime() - monotonic;
                System.out.println(wall + " " + monotonic + " " + waited);
            }
        }
    }

    @Test
    void onlyTheWallClockLiesAndWaitsLastAsLongAsAsked(@TempDir Path directory) throws IOException {
        Optional<Path> library = AdjustableClock.library();
        assumeTrue(library.isPresent(), "libfaketime is not installed (Debian: faketime)");
        AdjustableClock clock = new AdjustableClock(library.get(), directory.resolve("clock"));
        ProcessBuilder builder = new ProcessBuilder(
                Programs.java(), "-Xmx16m", "-cp", System.getProperty("java.class.path"), Speaker.class.getName());
        builder.environment().putAll(clock.environment());
        Process process = builder.start();
        try (BufferedReader in = process.inputReader();
                BufferedWriter out = process.outputWriter()) {
            long[] true1 = ask(in, out, Duration.ZERO);
            clock.set(Duration.ofMillis(5_250));
            long[] ahead = ask(in, out, Duration.ofMillis(5_250));
            clock.set(Duration.ofMillis(-4_750));
            long[] behind = ask(in, out, Duration.ofMillis(-4_750));
            assertThat(ahead[1] - true1[1]).as("monotonic").isBetween(0L, 5_000_000_000L);
            assertThat(behind[1] - ahead[1]).as("monotonic").isBetween(0L, 5_000_000_000L);
        } finally {
            process.destroyForcibly();
        }
    }

    private static long[] ask(BufferedReader in, BufferedWriter out, Duration ahead) throws IOException {
        long before = System.currentTimeMillis();
        out.write("\n");
        out.flush();
        String[] said = in.readLine().split(" ");
        long after = System.currentTimeMillis();
        long wall = Long.parseLong(said[0]);
        assertThat(wall - ahead.toMillis()).isBetween(before - 1, after + 1);
        assertThat(Long.parseLong(said[2]))
                .as("nanoseconds of waiting")
                .isBetween(WAIT_NANOS, WAIT_NANOS + 3_000_000_000L);
        return new long[] {wall, Long.parseLong(said[1])};
    }
}
