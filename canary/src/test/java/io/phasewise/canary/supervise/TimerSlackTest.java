/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class TimerSlackTest {
    @Test
    @EnabledOnOs(OS.LINUX)
    void theCallingThreadAloneGetsTheLeastSlack() throws Exception {
        AtomicReference<String> other = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            TimerSlack.least();
            other.set(slackOfThisThread());
        });
        thread.start();
        thread.join();
        assertThat(other.get()).isEqualTo("1");
        assertThat(slackOfThisThread()).isNotEqualTo("1");
    }

    private static String slackOfThisThread() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            return Files.readString(Path.of("/proc", thread.toString(), "timerslack_ns"))
                    .strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
