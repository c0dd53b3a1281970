/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waiting ends: with the condition, with the bound, or with the process it hangs on. */
class AwaitTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    @Test
    void looksUntilTheConditionHolds() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Await.that("third time lucky", LONG)
                .every(Duration.ofMillis(1))
                .until(() -> looks.incrementAndGet() >= 3, () -> "only " + looks);
        assertThat(looks).hasValue(3);
    }

    @Test
    void looksOnceEvenWithoutTime() throws Exception {
        Await.that("it holds already", Duration.ZERO).until(Optional::empty);
    }

    @Test
    void saysWhatWasAwaitedAndWhyNotWhenTheBoundPasses() {
        Await await = Await.that("the moon is blue", Duration.ofMillis(30));

        assertThatThrownBy(() -> await.until(() -> Optional.of("it is white")))
                .isInstanceOf(AwaitException.class)
                .hasMessage("waited 0.03 s without success: the moon is blue (last: it is white)");
    }

    @Test
    void takesAnExceptionAsNotYet() {
        Await await = Await.that("it answers", Duration.ofMillis(10));

        assertThatThrownBy(() -> await.until(AwaitTest::refused))
                .isInstanceOf(AwaitException.class)
                .hasMessageContaining("(last: IOException: connection refused)");
    }

    private static Optional<String> refused() throws IOException {
        throw new IOException("connection refused");
    }

    @Test
    void givesUpAtOnceWithTheLogWhenTheProcessEnds() throws Exception {
        try (ManagedProcess child = shell("echo cannot bind; exit 7")) {
            long start = System.nanoTime();
            Await await = Await.that("it listens", LONG).every(LONG).needing(child);

            assertThatThrownBy(() -> await.until(() -> Optional.of("it does not")))
                    .isInstanceOf(AwaitException.class)
                    .hasMessageContaining("child (pid " + child.pid() + ") ended with status 7")
                    .hasMessageContaining("while waiting: it listens (last: it does not)")
                    .hasMessageEndingWith("\ncannot bind");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(2));
        }
    }

    @Test
    void aConditionThatHoldsCountsEvenWhenTheProcessHasEnded() throws Exception {
        try (ManagedProcess child = shell("exit 0")) {
            child.onExit().get();
            Await.that("it is done", LONG).needing(child).until(Optional::empty);
        }
    }

    @Test
    void addsTheLogOfALivingProcessWhenTheBoundPasses() throws Exception {
        try (ManagedProcess child = shell("echo still loading; while :; do sleep 0.05; done")) {
            Await.that("it prints", LONG).until(() -> !child.tail(1).isEmpty(), () -> "nothing");
            Await await = Await.that("it listens", Duration.ofMillis(10)).needing(child);

            assertThatThrownBy(() -> await.until(() -> Optional.of("it does not")))
                    .hasMessageEndingWith("\nstill loading");
        }
    }

    private ManagedProcess shell(String script) throws IOException {
        return ShellChild.start(directory, "child", script);
    }
}
