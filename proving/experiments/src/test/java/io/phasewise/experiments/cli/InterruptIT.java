/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.junit.CommandLines;
import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ctrl-C while a broker is broken, as a user would. */
@Tag("long")
class InterruptIT {
    private static final int BROKERS_AND_CANARY = 4;

    @Test
    void everythingIsUndone(@TempDir Path directory) throws Exception {
        Path scratches = Files.createDirectory(directory.resolve("scratches"));
        Path said = directory.resolve("err");
        Process lab = start(directory, scratches, said);
        try {
            Await.that("a follower is paused", Duration.ofSeconds(180)).until(() -> {
                assertThat(lab.isAlive()).as(Files.readString(said)).isTrue();
                return Files.readString(said).contains("[1/4] slow follower")
                        ? Optional.empty()
                        : Optional.of(Files.readString(said));
            });
            assertThat(CommandLines.naming(scratches + "/")).hasSizeGreaterThanOrEqualTo(BROKERS_AND_CANARY);

            interrupt(lab);

            assertThat(lab.waitFor(60, TimeUnit.SECONDS))
                    .as(Files.readString(said))
                    .isTrue();
            assertThat(lab.exitValue()).isEqualTo(1);
            assertThat(Files.readString(said)).endsWith("interrupted\n");
            Await.that("nothing that was started is left", Duration.ofSeconds(10))
                    .until(
                            () -> CommandLines.naming(scratches + "/").isEmpty(),
                            () -> CommandLines.naming(scratches + "/").toString());
            try (Stream<Path> left = Files.list(scratches)) {
                assertThat(left.filter(each -> each.toString().contains("phasewise-run")))
                        .isEmpty();
            }
        } finally {
            // Its watcher ends what it leaves.
            lab.destroyForcibly();
        }
    }

    private static Process start(Path directory, Path scratches, Path said) throws IOException {
        Path root = Path.of(System.getProperty("phasewise.root"));
        // What is started in the background by a script ignores Ctrl-C, and hands that down. With
        // this seed the first turn is that of the slow follower; it is paused most of the time.
        String command = "exec env --default-signal=INT %s/phasewise lab run slow-follower --out %s/report"
                + " --param seed=4096 --param settle=0 --param warm-up=0"
                + " --param seconds=120 --param repeats=2 --param stall=1500 --param period=2000";
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command.formatted(root, directory));
        // Maven has just built it; a second build inside its run would race with it.
        builder.environment().put("PHASEWISE_NO_BUILD", "1");
        // Of the lab, its brokers and its canary; they live for a moment.
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -Djava.io.tmpdir=" + scratches);
        return builder.redirectOutput(directory.resolve("out").toFile())
                .redirectError(said.toFile())
                .start();
    }

    private static void interrupt(Process process) throws IOException, InterruptedException {
        // Java sends TERM and KILL only; a shell's kill is everywhere.
        Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -INT " + process.pid())
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }
}
