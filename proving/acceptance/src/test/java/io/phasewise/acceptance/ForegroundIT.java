/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A stack in the foreground: what it prints, and what is left after a killed launcher, after Ctrl-C
 * and after {@code --purge}. Every other test of a stack shows that {@code down} ends a stack
 * without a launcher.
 */
@Order(4)
@ResourceLock("stack")
class ForegroundIT {

    @Test
    void whatAKilledLauncherLeftIsTakenOverAndCtrlCEndsAllOfItButTheData(@TempDir Path directory) throws Exception {
        try (Stack stack = Stack.shortLived(directory.resolve("state"), Map.of())) {
            Process killed = stack.up().start(directory.resolve("first.out"));
            awaitLatencyLine(killed, directory.resolve("first.out"));
            killed.destroyForcibly();
            assertThat(killed.waitFor(10, TimeUnit.SECONDS)).isTrue();
            // `status` waits only some seconds for an answer, so it is asked again.
            eventually(() -> {
                JsonNode broker = stack.component("broker-1");
                assertThat(broker.path("healthy").asBoolean())
                        .as(broker.toString())
                        .isTrue();
            });

            Path output = directory.resolve("second.out");
            Process interrupted = stack.up().start(output);
            awaitLatencyLine(interrupted, output);
            assertThat(output).content().contains("runs already");
            Command.signal("INT", interrupted.pid()).output(Http.PATIENCE);

            assertThat(interrupted.waitFor(90, TimeUnit.SECONDS))
                    .as(Files.readString(output))
                    .isTrue();
            stack.assertNothingRuns();
            assertThat(stack.directory()).isNotEmptyDirectory();

            stack.command("down", "--purge").output(Http.PATIENCE);

            assertThat(stack.directory())
                    .satisfiesAnyOf(
                            state -> assertThat(state).doesNotExist(),
                            state -> assertThat(state).isEmptyDirectory());
        }
    }

    /** Waits until a line gives p50 and p99 of all three brokers. */
    private static void awaitLatencyLine(Process up, Path output) {
        await().atMost(Duration.ofMinutes(15))
                .failFast("the launcher ended early", () -> !up.isAlive())
                .untilAsserted(() -> assertThat(Files.readAllLines(output))
                        .filteredOn(line -> line.matches(".*1.*2.*3.*"))
                        .anyMatch(line -> line.matches(".*p50.*p99.*")));
    }
}
