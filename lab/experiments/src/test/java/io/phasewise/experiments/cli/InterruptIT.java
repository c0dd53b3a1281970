/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
            Await.that("a follower is paused", Duration.ofSeconds(180))
                    .until(
                            () -> {
                                assertThat(lab.isAlive()).as(Files.readString(said)).isTrue();
                                return Files.readString(said).contains("[1/4] slow follower")
                                        ? Optional.empty()
                                        : Optional.of(Files.readString(said));
                            });
            assertThat(naming(scratches)).hasSizeGreaterThanOrEqualTo(BROKERS_AND_CANARY);

            interrupt(lab);

            assertThat(lab.waitFor(60, TimeUnit.SECONDS)).as(Files.readString(said)).isTrue();
            assertThat(lab.exitValue()).isEqualTo(1);
            assertThat(Files.readString(said)).endsWith("interrupted\n");
            Await.that("nothing that was started is left", Duration.ofSeconds(10))
                    .until(() -> naming(scratches).isEmpty(), () -> naming(scratches).toString());
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
        List<String> command = new ArrayList<>();
        // What is started in the background by a script ignores Ctrl-C, and hands that down.
        command.addAll(List.of("env", "--default-signal=INT"));
        command.addAll(List.of(root.resolve("phasewise").toString(), "lab", "run"));
        command.addAll(List.of("slow-follower", "--out", directory.resolve("report").toString()));
        // With this seed the first turn is that of the slow follower; it is paused most of the
        // time.
        for (String parameter :
                List.of(
                        "seed=4096",
                        "settle=0",
                        "warm-up=0",
                        "seconds=120",
                        "repeats=2",
                        "stall=1500",
                        "period=2000")) {
            command.addAll(List.of("--param", parameter));
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        // Maven has just built it; a second build inside its run would race with it.
        builder.environment().put("PHASEWISE_NO_BUILD", "1");
        // Of the lab, its brokers and its canary; they live for a moment.
        builder.environment()
                .put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -Djava.io.tmpdir=" + scratches);
        return builder.redirectOutput(directory.resolve("out").toFile())
                .redirectError(said.toFile())
                .start();
    }

    private static void interrupt(Process process) throws IOException, InterruptedException {
        // Java sends TERM and KILL only; a shell's kill is everywhere.
        Process kill =
                new ProcessBuilder("/bin/sh", "-c", "kill -INT " + process.pid())
                        .inheritIO()
                        .start();
        assertThat(kill.waitFor()).isZero();
    }

    /** The command lines that name a directory. */
    private static List<String> naming(Path directory) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : (Iterable<Path>) processes::iterator) {
                String line = commandLine(process);
                if (line.contains(directory + "/")) {
                    found.add(line);
                }
            }
        }
        return found;
    }

    /** Empty for what is no process, or not any more. */
    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline")).replace('\0', ' ');
        } catch (IOException none) {
            return "";
        }
    }
}
