/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What a detached stack shows, and what becomes of a fault in it. All tests share one stack; each
 * begins when all of it is ready. How stacks begin and end is left to {@link ForegroundIT}.
 *
 * <p>Two whole stacks at a time are more than a small machine bears, hence the lock.
 */
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock("stack")
class StackIT {
    private final Http http = new Http();
    private RunningStack stack;

    @BeforeAll
    void start(@TempDir Path directory) {
        stack =
                RunningStack.start(
                        Launcher.onFreePorts(directory.resolve("state"), Map.of()).shortLived());
    }

    @BeforeEach
    void restore() {
        stack.restore();
    }

    @AfterAll
    void stop() {
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void upStartsEverythingAndSaysWhereItIsReached() {
        stack.assertEveryComponentIsHealthy();
        assertThat(stack.upOutput())
                .contains(stack.prometheusUrl(), stack.canaryUrl())
                .doesNotContain("Classic mode");
    }

    @Test
    void everyTargetIsUpAndEveryLeaderIsProbed() {
        stack.assertEveryTargetIsUpAndEveryLeaderIsProbed();
    }

    @Test
    void recordedPercentilesArePlausibleAndOrdered() {
        stack.assertRecordedPercentilesArePlausibleAndOrdered();
    }

    @Test
    void everyPanelOfEveryDashboardShowsSomethingBelievable(@TempDir Path directory)
            throws Exception {
        stack.assertEveryPanelShowsSomethingBelievable(directory);
    }

    @Test
    void everyRuleIsEvaluatedWithoutAnError() throws IOException {
        stack.assertEveryRuleIsEvaluatedWithoutAnError();
    }

    @Test
    void seriesStayWithinTheBudget() {
        stack.assertSeriesStayWithinTheBudget(false);
    }

    @Test
    void everyScheduledProbeIsAccountedFor() throws IOException {
        JsonNode brokers = http.json(stack.canaryUrl() + "/status").at("/clusters/0/brokers");
        assertThat(brokers).hasSize(3);
        for (JsonNode broker : brokers) {
            long outcomes = 0;
            for (JsonNode count : broker.path("outcomes")) {
                outcomes += count.asLong();
            }
            assertThat(broker.path("scheduled").asLong())
                    .as(broker.toString())
                    .isPositive()
                    .isEqualTo(outcomes + broker.path("inFlight").asLong());
        }
    }

    @Test
    void aKilledBrokerIsNoticedWhileTheOthersGoOnMeasuringAndUpBringsItBack() {
        long pid = stack.launcher().component("broker-2").path("pid").asLong();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        patiently(RunningStack.PATIENCE)
                .until(() -> http.statusCode(stack.canaryUrl() + "/-/ready") == 503);
        patiently(RunningStack.PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(stack.query("up{job=\"kafka-broker\"}", "broker"))
                                        .containsEntry("1", 1.0)
                                        .containsEntry("2", 0.0)
                                        .containsEntry("3", 1.0));
        assertThat(stack.launcher().component("broker-2").path("healthy").asBoolean()).isFalse();
        // A window that lies wholly behind the kill: the two others have never stopped.
        patiently(RunningStack.PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(stack.probesPerSecond())
                                        .hasEntrySatisfying("1", r -> assertThat(r).isPositive())
                                        .hasEntrySatisfying("3", r -> assertThat(r).isPositive()));

        stack.startWhatIsDown();

        patiently(RunningStack.PATIENCE)
                .until(() -> http.statusCode(stack.canaryUrl() + "/-/ready") == 200);
        stack.assertEveryTargetIsUpAndEveryLeaderIsProbed();
    }

    @Test
    void whenEveryProbeIsBadThePageArrivesWithItsTextAndItsRunbook() throws Exception {
        stack.assertThePageArrivesWhenEveryProbeIsBad();
    }

    @Test
    void aSecondStackOnTheSamePortsIsRefusedWithTheOwner(@TempDir Path other) {
        Launcher second = stack.launcher().onTheSamePorts(other.resolve("state"));
        Launcher.Result up = second.up(RunningStack.PATIENCE);

        long owner = stack.launcher().component("broker-1").path("pid").asLong();
        assertThat(up.exitCode()).as(up.output()).isEqualTo(1);
        assertThat(up.output())
                .contains(String.valueOf(stack.launcher().port(19092)))
                .contains(String.valueOf(owner))
                .contains("java")
                .contains("--port-offset");
        assertThat(second.processes()).isEmpty();
    }
}
