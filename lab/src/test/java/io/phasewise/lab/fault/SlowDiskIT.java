/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ShellChild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that waits for its disk at every write, held up by a real control group. */
class SlowDiskIT {
    private static final int WRITES_PER_SECOND = 10;
    private static final int BLOCK = 4_096;
    private static final int BLOCKS = 10;
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    private Path directory;

    @BeforeEach
    void onlyWhereThisMachineCanSlowADisk() {
        Optional<String> obstacle = SlowDisk.obstacle(directory);
        assumeTrue(obstacle.isEmpty(), () -> obstacle.orElse(""));
    }

    @Test
    void writesAreHeldUpUntilItIsClosedAndTheGroupGoes() throws Exception {
        Path file = directory.resolve("written");
        String writing = "exec dd if=/dev/zero of=%s bs=%d oflag=dsync count=1000000";
        try (ManagedProcess writer = ShellChild.start(directory, "writer", writing.formatted(file, BLOCK))) {
            awaitBlocks(file);
            List<String> groups = groups(writer.pid());
            SlowDisk slow = SlowDisk.begin(writer.pid(), directory, WRITES_PER_SECOND);
            double held;
            try {
                assertThat(groups(writer.pid())).isNotEqualTo(groups);
                // What was under way goes through at once, and so does a moment's share.
                awaitBlocks(file);
                held = awaitBlocks(file);
            } finally {
                slow.close();
            }
            assertThat(held).isGreaterThan(0.5 * BLOCKS / WRITES_PER_SECOND);
            assertThat(groups(writer.pid())).isEqualTo(groups);
            assertThat(awaitBlocks(file)).isLessThan(held);
        }
    }

    @Test
    void aGroupOfAProcessThatHasEndedIsDissolved() throws Exception {
        SlowDisk slow = ofAProcessThatHasEnded();

        slow.close();

        assertThat(slow.group()).doesNotExist();
    }

    @Test
    void whatAKilledLabLeftGoesWithTheNextLimit() throws Exception {
        SlowDisk left = ofAProcessThatHasEnded();
        try (ManagedProcess second = ShellChild.start(directory, "second", "exec sleep 1000");
                SlowDisk next = SlowDisk.begin(second.pid(), directory, WRITES_PER_SECOND)) {
            assertThat(left.group()).doesNotExist();
            assertThat(next.group()).exists();
        }
    }

    private SlowDisk ofAProcessThatHasEnded() throws Exception {
        try (ManagedProcess first = ShellChild.start(directory, "first", "exec sleep 1000")) {
            return SlowDisk.begin(first.pid(), directory, WRITES_PER_SECOND);
        }
    }

    /** Seconds until so many more blocks are written. */
    private static double awaitBlocks(Path file) throws InterruptedException {
        long start = System.nanoTime();
        long enough = size(file) + (long) BLOCKS * BLOCK;
        Await.that("the file grows", BOUND)
                .until(() -> size(file) >= enough, () -> size(file) + " of " + enough + " bytes");
        return (System.nanoTime() - start) / 1e9;
    }

    private static long size(Path file) {
        return file.toFile().length();
    }

    private static List<String> groups(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(pid), "cgroup"));
    }
}
