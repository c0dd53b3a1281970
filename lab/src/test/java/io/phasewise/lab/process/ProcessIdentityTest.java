/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessIdentityTest {
    @TempDir
    private Path proc;

    /** Until its last thread has ended, a process has its ports. */
    @Test
    void aProcessWhoseFirstThreadAloneHasEndedRuns() throws IOException {
        assertThat(ProcessIdentity.isZombie(process("7 (java (x)) Z 1", "7", "8")))
                .isFalse();
        assertThat(ProcessIdentity.isZombie(process("7 (java (x)) Z 1", "7"))).isTrue();
        assertThat(ProcessIdentity.isZombie(process("7 (java (x)) S 1", "7"))).isFalse();
        assertThat(ProcessIdentity.isZombie(proc.resolve("none"))).isFalse();
    }

    private Path process(String stat, String... threads) throws IOException {
        Path process = Files.createTempDirectory(proc, "process");
        Files.writeString(process.resolve("stat"), stat);
        for (String each : threads) {
            Files.createDirectories(process.resolve("task").resolve(each));
        }
        return process;
    }
}
