/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFollowerTest {

    @TempDir Path directory;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private Path log;
    private Thread follower;

    @BeforeEach
    void follow() throws Exception {
        log = Files.writeString(directory.resolve("canary.log"), "one\ntwo\n");
        follower =
                new Thread(
                        () -> {
                            try {
                                new LogFollower(log, out).follow(1);
                            } catch (Exception ended) {
                                return;
                            }
                        });
        follower.start();
        awaitOutput("two\n");
    }

    @AfterEach
    void stop() throws Exception {
        follower.interrupt();
        follower.join(Duration.ofSeconds(10).toMillis());
    }

    @Test
    void showsWhatIsAdded() throws Exception {
        Files.writeString(log, "three\n", StandardOpenOption.APPEND);

        awaitOutput("two\nthree\n");
    }

    @Test
    void goesOnWithTheLogOfTheNextRun() throws Exception {
        Files.move(log, directory.resolve("canary.log.1"));
        Files.writeString(log, "again, and longer than before\n");

        awaitOutput("two\nagain, and longer than before\n");
    }

    @Test
    void aLogThatIsReplacedBetweenLookingAndOpeningIsLeftToTheNextLook() throws Exception {
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        LogFollower late = new LogFollower(log, shown);
        Object seen = late.key();
        Files.move(log, directory.resolve("canary.log.1"));
        assertThat(late.copyFrom(4, seen)).isEqualTo(4);
        Files.writeString(log, "again, and longer than before\n");

        assertThat(late.copyFrom(4, seen)).isEqualTo(4);
        assertThat(shown.size()).isZero();
    }

    @Test
    void startsOverWhenTheLogIsEmptied() throws Exception {
        Files.writeString(log, "new\n");

        awaitOutput("two\nnew\n");
    }

    private void awaitOutput(String expected) {
        await().atMost(Duration.ofSeconds(10))
                .until(() -> out.toString(StandardCharsets.UTF_8).equals(expected));
    }
}
