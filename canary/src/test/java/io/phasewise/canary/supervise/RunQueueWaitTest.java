/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From Linux's schedstat to one counter. */
class RunQueueWaitTest {
    private static final long MS = 1_000_000;

    @TempDir
    Path tasks;

    @Test
    void addsUpTheThreadsThatMeasureAndNoOthers() throws IOException {
        thread(10, "schedule-prod", 5 * MS);
        thread(11, "consume..efault", 7 * MS);
        thread(12, "kafka-p..rod-15", 11 * MS);
        thread(13, "kafka-a..thread", 1_000 * MS);
        thread(14, "C2 CompilerThre", 1_000 * MS);

        assertThat(new RunQueueWait(tasks).seconds()).isEqualTo(0.023);
    }

    @Test
    void neverFallsWhateverBecomesOfTheThreads() throws IOException {
        RunQueueWait wait = new RunQueueWait(tasks);
        thread(10, "lanes-prod", 5 * MS);
        thread(11, "kafka-p..rod-15", 7 * MS);
        assertThat(wait.seconds()).isEqualTo(0.012);

        end(11);
        thread(10, "lanes-prod", 9 * MS);
        assertThat(wait.seconds()).as("one has ended").isEqualTo(0.016);

        thread(11, "kafka-p..rod-16", 2 * MS);
        thread(10, "lanes-prod", MS);
        assertThat(wait.seconds()).as("two with numbers that were used before").isEqualTo(0.019);

        thread(12, "ping-prod", 3 * MS);
        Files.writeString(tasks.resolve("12/schedstat"), "not numbers\n");
        assertThat(wait.seconds()).isEqualTo(0.019);
    }

    @Test
    void isNotToldWhereTheSystemHasNoSuchFile() throws IOException {
        assertThat(RunQueueWait.isAvailable(tasks)).isFalse();
        assertThat(RunQueueWait.isAvailable(tasks.resolve("missing"))).isFalse();

        thread(10, "lanes-prod", 0);
        assertThat(RunQueueWait.isAvailable(tasks)).isTrue();
    }

    @Test
    void findsTheMeasuringThreadsOfThisJvmByTheirNames() throws Exception {
        assumeThat(RunQueueWait.isAvailable(RunQueueWait.TASKS)).isTrue();
        AtomicBoolean stop = new AtomicBoolean();
        // A wait on an idle processor can last less than the kernel's clock tells, many do not.
        Thread thread = new Thread(
                () -> {
                    while (!stop.get()) {
                        LockSupport.parkNanos(1_000);
                    }
                },
                "kafka-producer-network-thread | phasewise-canary-prod");
        thread.start();
        try {
            RunQueueWait wait = new RunQueueWait(RunQueueWait.TASKS);
            await().atMost(Duration.ofMinutes(1)).until(() -> wait.seconds() > 0);
        } finally {
            stop.set(true);
            thread.join();
        }
    }

    private void thread(int id, String name, long waitedNanos) throws IOException {
        Path task = Files.createDirectories(tasks.resolve(String.valueOf(id)));
        Files.writeString(task.resolve("comm"), name + "\n");
        Files.writeString(task.resolve("schedstat"), "123456789 " + waitedNanos + " 17\n");
    }

    private void end(int id) throws IOException {
        Path task = tasks.resolve(String.valueOf(id));
        Files.delete(task.resolve("comm"));
        Files.delete(task.resolve("schedstat"));
        Files.delete(task);
    }
}
