/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.process.Await;
import io.phasewise.lab.process.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ScratchTest {
    private static final Duration SECONDS = Duration.ofSeconds(30);

    /** A run that starts a process on its directory, stops it, and never ends by itself. */
    static final class Run {
        private Run() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            Scratch scratch = Scratch.create();
            Path log = Files.createFile(scratch.directory().resolve("log"));
            Process process = new ProcessBuilder("tail", "-f", log.toString()).start();
            new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + process.pid())
                    .start()
                    .waitFor();
            System.out.println(scratch.directory());
            System.out.println(process.pid());
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void whatAKilledRunStartedOnItsDirectoryEndsAndTheDirectoryGoes() throws Exception {
        Process run = new ProcessBuilder(
                        Programs.java(), "-Xmx16m", "-cp", System.getProperty("java.class.path"), Run.class.getName())
                .start();
        try (BufferedReader out = run.inputReader()) {
            Path directory = Path.of(out.readLine());
            long pid = Long.parseLong(out.readLine());
            assertThat(ProcessHandle.of(pid)).isPresent();

            run.destroyForcibly();

            Await.that("nothing is left of the run", SECONDS)
                    .until(
                            () -> !(Files.exists(directory)
                                    || ProcessHandle.of(pid).isPresent()),
                            () -> "something is");
        } finally {
            run.destroyForcibly();
        }
    }

    @Test
    void aClosedOneIsDeletedAndNobodyWatchesAnyMore() throws Exception {
        Scratch scratch = Scratch.create();
        Files.createFile(scratch.directory().resolve("log"));
        // Names the directory and needs no file of it: there is none by the time it might look.
        Process other = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "read -r line",
                        scratch.directory().resolve("log").toString())
                .start();
        try {
            scratch.close();

            assertThat(scratch.directory()).doesNotExist();
            assertThat(scratch.watcher().waitFor(SECONDS.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }
}
