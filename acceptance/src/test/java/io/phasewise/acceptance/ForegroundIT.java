/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stack in the foreground: what it prints, how it ends, and what a killed launcher leaves. */
class ForegroundIT {
    @TempDir Path directory;
    private Launcher launcher;

    @BeforeEach
    void chooseFreePorts() {
        launcher = Launcher.onFreePorts(directory.resolve("state"), Map.of()).shortLived();
    }

    @AfterEach
    void stopWhatIsLeft() {
        launcher.run(Duration.ofMinutes(2), "down");
        launcher.close();
    }

    @Test
    void showsLatencyPerBrokerAndLeavesNothingBehindWhenInterrupted() throws Exception {
        Path output = directory.resolve("up.out");
        Process up = start(output);
        awaitLatencyLine(output, up);

        signal("INT", up.pid());

        assertThat(up.waitFor(90, TimeUnit.SECONDS)).as(Files.readString(output)).isTrue();
        assertThat(launcher.processes()).isEmpty();
        assertThat(launcher.portsInUse()).isEmpty();
    }

    @Test
    void whatAKilledLauncherLeftIsRecognisedAndStopped() throws Exception {
        Path output = directory.resolve("up.out");
        Process up = start(output);
        awaitLatencyLine(output, up);

        signal("KILL", up.pid());
        assertThat(up.waitFor(10, TimeUnit.SECONDS)).isTrue();
        // One look by `status` waits no longer for an answer than people would.
        await().atMost(Duration.ofSeconds(90))
                .untilAsserted(
                        () ->
                                assertThat(
                                                launcher.component("broker-1")
                                                        .path("healthy")
                                                        .asBoolean())
                                        .isTrue());
        Launcher.Result down = launcher.run(Duration.ofMinutes(2), "down");

        assertThat(down.exitCode()).as(down.output()).isZero();
        assertThat(launcher.processes()).isEmpty();
        assertThat(launcher.portsInUse()).isEmpty();
    }

    private Process start(Path output) throws IOException {
        return launcher.start(output, "up", "--port-offset", String.valueOf(launcher.portOffset()));
    }

    /** Until a line gives p50 and p99 of each of the three brokers. */
    private static void awaitLatencyLine(Path output, Process up) {
        await().atMost(Duration.ofMinutes(15))
                .failFast("the launcher ended early", () -> !up.isAlive())
                .untilAsserted(
                        () ->
                                assertThat(Files.readAllLines(output))
                                        .anySatisfy(
                                                line ->
                                                        assertThat(line)
                                                                .contains("p50", "p99")
                                                                .contains("1", "2", "3")));
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor())
                .isZero();
    }
}
