/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PauseFileTest {
    @TempDir
    private Path directory;

    private long now;

    @Test
    void anEmptyFilePausesEveryClusterAndOneWithNamesThose() throws Exception {
        Path file = directory.resolve("paused");
        PauseFile pause = new PauseFile(Optional.of(file), () -> now);
        assertThat(pause.pauses("a")).isFalse();

        Files.writeString(file, "");
        assertThat(pause.pauses("a")).as("looked at once a second").isFalse();
        later();
        assertThat(pause.pauses("a")).isTrue();
        assertThat(pause.pauses("b")).isTrue();

        Files.writeString(file, " a \n\nc\n");
        later();
        assertThat(pause.pauses("a")).isTrue();
        assertThat(pause.pauses("b")).isFalse();

        Files.delete(file);
        later();
        assertThat(pause.pauses("a")).isFalse();
    }

    @Test
    void whatCannotBeReadPausesEverything() throws Exception {
        Path file = Files.createDirectory(directory.resolve("paused"));

        assertThat(new PauseFile(Optional.of(file), () -> now).pauses("a")).isTrue();
    }

    /** Opening a pipe would wait for whoever writes into it, and with it the ticker. */
    @Test
    void aPipeOrADevicePausesEverythingAndHangsNothing() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThat(new PauseFile(Optional.of(pipe), () -> now).pauses("a")).isTrue();
        assertThat(new PauseFile(Optional.of(Path.of("/dev/zero")), () -> now).pauses("a"))
                .isTrue();
    }

    @Test
    void aDiskThatHangsIsSaidOnceAndChangesNothing() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        CountDownLatch free = new CountDownLatch(1);
        AtomicBoolean hangs = new AtomicBoolean();
        PauseFile pause = new PauseFile(
                Optional.of(Path.of("paused")),
                path -> {
                    if (hangs.get()) {
                        awaitUninterrupted(free);
                    }
                    return Optional.of(Set.of("a"));
                },
                said::add,
                () -> now);
        assertThat(pause.pauses("a")).isTrue();
        assertThat(said).isEmpty();

        hangs.set(true);
        for (int i = 0; i < 3; i++) {
            later();
            assertThat(pause.pauses("a")).isTrue();
            assertThat(pause.pauses("b")).isFalse();
        }
        assertThat(said).singleElement().asString().startsWith("pause-file: paused cannot be read");

        hangs.set(false);
        free.countDown();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            later();
            return pause.pauses("a") && said.size() == 2;
        });
        assertThat(said).last().isEqualTo("pause-file: paused can be read again");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void later() {
        now += TimeUnit.SECONDS.toNanos(1);
    }
}
