/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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

    private void later() {
        now += TimeUnit.SECONDS.toNanos(1);
    }
}
