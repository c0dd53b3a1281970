/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.experiments.measure.HeldTimes.Stretch;
import io.phasewise.lab.process.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ThreadWitnessTest {
    private static final Instant WALL = Instant.parse("2026-11-29T12:00:00Z");
    private static final List<String> LOG = List.of(
            "1000000000 network thread 0 e",
            "1000000000 network thread 1 R",
            "1010000000 network thread 0 D",
            "1030000000 network thread 0 R",
            "1040000000 network thread 0 e",
            "1020000000 network thread 1 D",
            "1035000000 network thread 1 ?");

    @Test
    void aStateLastsUntilTheNextLineOfThatThread() {
        assertThat(held("thread 0", "D").all()).containsExactly(stretch(10, 30));
        assertThat(held("thread 0", "DR").all()).containsExactly(stretch(10, 40));
        assertThat(held("thread 0", "e").all()).containsExactly(stretch(0, 10));
        assertThat(held("thread 1", "D").all()).containsExactly(stretch(20, 35));
    }

    @Test
    void ofSeveralThreadsAnyCounts() {
        assertThat(held("thread", "D").all()).containsExactly(stretch(10, 35));
        assertThat(held("handler", "D").all()).isEmpty();
    }

    @Test
    void aThreadThatRunsIsSeenToRunAndOneThatSleepsIsNot(@TempDir Path directory) throws Exception {
        AtomicBoolean ending = new AtomicBoolean();
        Thread runs = thread("seen-running", () -> {
            while (!ending.get()) {
                Thread.onSpinWait();
            }
        });
        Object never = new Object();
        Thread sleeps = thread("seen-sleeping", () -> {
            synchronized (never) {
                while (!ending.get()) {
                    never.wait();
                }
            }
        });
        ThreadWitness witness = ThreadWitness.begin(
                ProcessHandle.current().pid(), name -> name.startsWith("seen-"), directory.resolve("witness.log"));
        long until = System.nanoTime() + Duration.ofMillis(500).toNanos();
        Await.that("half a second has passed", Duration.ofSeconds(10))
                .until(() -> System.nanoTime() > until ? Optional.empty() : Optional.of("it has not"));
        witness.close();
        ending.set(true);
        sleeps.interrupt();
        runs.join();

        assertThat(witness.held("seen-running"::equals, "R").seconds() + witness.blindSeconds())
                .isCloseTo(0.5, within(0.2));
        assertThat(witness.held("seen-sleeping"::equals, "RD").seconds()).isLessThan(0.1);
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private static Thread thread(String name, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (InterruptedException over) {
                        return;
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static HeldTimes held(String thread, String states) {
        return ThreadWitness.held(LOG, name -> name.contains(thread), states, 1_000_000_000, WALL);
    }

    private static Stretch stretch(long from, long to) {
        return new Stretch(WALL.plusMillis(from), WALL.plusMillis(to));
    }
}
