/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * How stacks begin and end: one in the foreground, what it prints, what Ctrl-C, a killed launcher,
 * {@code down} and {@code --purge} leave. Each test starts one, on the data of the other if that
 * was first.
 *
 * <p>Two whole stacks at a time are more than a small machine bears, hence the lock.
 */
@Order(4)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock("stack")
class ForegroundIT {
    private Path directory;
    private Launcher launcher;
    private Path output;
    private Process up;

    @BeforeAll
    void chooseFreePorts(@TempDir Path directory) {
        this.directory = directory;
        launcher = Launcher.onFreePorts(directory.resolve("state"), Map.of()).shortLived();
    }

    @AfterAll
    void givePortsBack() {
        launcher.close();
    }

    @BeforeEach
    void start() throws IOException {
        output = Files.createTempFile(directory, "up", ".out");
        up = launcher.command("up", "--port-offset", "" + launcher.portOffset()).start(output);
        awaitLatencyLine();
    }

    @AfterEach
    void stopWhatIsLeft() {
        launcher.run(Duration.ofMinutes(2), "down");
        up.destroyForcibly();
    }

    @Test
    void showsLatencyPerBrokerAndEndsAllOfItButTheDataWhenInterrupted() throws Exception {
        signal("INT", up.pid());

        assertThat(up.waitFor(90, TimeUnit.SECONDS)).as(Files.readString(output)).isTrue();
        assertNothingRuns();
        assertThat(launcher.stateDirectory()).isNotEmptyDirectory();
    }

    @Test
    void whatAKilledLauncherLeftIsRecognisedStoppedByDownAndDeletedByPurge() throws Exception {
        signal("KILL", up.pid());
        assertThat(up.waitFor(10, TimeUnit.SECONDS)).isTrue();
        // One look by `status` waits no longer for an answer than people would.
        patiently().until(() -> launcher.component("broker-1").path("healthy").asBoolean());
        Command.Result down = launcher.run(Duration.ofMinutes(2), "down");

        assertThat(down.exitCode()).as(down.output()).isZero();
        assertNothingRuns();
        assertThat(launcher.stateDirectory()).isNotEmptyDirectory();

        Command.Result purge = launcher.run(Duration.ofMinutes(1), "down", "--purge");

        assertThat(purge.exitCode()).as(purge.output()).isZero();
        assertThat(launcher.stateDirectory())
                .satisfiesAnyOf(
                        state -> assertThat(state).doesNotExist(),
                        state -> assertThat(state).isEmptyDirectory());
    }

    private void assertNothingRuns() {
        assertThat(launcher.processes()).isEmpty();
        assertThat(launcher.portsInUse()).isEmpty();
    }

    /** Until a line gives p50 and p99 of each of the three brokers. */
    private void awaitLatencyLine() {
        await().atMost(Duration.ofMinutes(15))
                .failFast("the launcher ended early", () -> !up.isAlive())
                .untilAsserted(
                        () ->
                                assertThat(Files.readAllLines(output))
                                        .anySatisfy(
                                                line ->
                                                        assertThat(line)
                                                                .contains(
                                                                        "p50", "p99", "1", "2",
                                                                        "3")));
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor())
                .isZero();
    }
}
