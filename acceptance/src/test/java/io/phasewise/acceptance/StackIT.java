/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.server.PrometheusClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The life of one detached stack, start to end: each test is a chapter that stands on the one
 * before.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StackIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private Launcher launcher;
    private String prometheus;
    private String canary;
    private final Http http = new Http();
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    void chooseFreePorts(@TempDir Path directory) {
        launcher = new Launcher(directory.resolve("state"), Launcher.freePortOffset());
        prometheus = "http://127.0.0.1:" + launcher.port(9090);
        canary = "http://127.0.0.1:" + launcher.port(9470);
    }

    @AfterAll
    void stopWhatIsLeft() {
        launcher.run(Duration.ofMinutes(2), "down");
    }

    @Test
    @Order(1)
    void upStartsEverythingAndReturnsWhenItIsReady() throws IOException {
        Launcher.Result up =
                launcher.run(
                        Duration.ofMinutes(15),
                        "up",
                        "--detach",
                        "--port-offset",
                        String.valueOf(launcher.portOffset()));

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output()).contains(prometheus, canary);
        assertThat(http.statusCode(canary + "/-/ready")).isEqualTo(200);
        List<String> names = new ArrayList<>();
        for (JsonNode component : launcher.status().path("components")) {
            names.add(component.path("name").asText());
            assertThat(component.path("healthy").asBoolean()).as(component.toString()).isTrue();
            assertThat(ProcessHandle.of(component.path("pid").asLong()))
                    .as(component.toString())
                    .isPresent();
        }
        assertThat(names)
                .contains(
                        "broker-1",
                        "broker-2",
                        "broker-3",
                        "canary",
                        "prometheus",
                        "alertmanager",
                        "receiver");
    }

    @Test
    @Order(2)
    void prometheusSeesEveryTargetAndProbesToEveryLeader() {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(query("up", "instance"))
                                    .hasSizeGreaterThanOrEqualTo(6)
                                    .allSatisfy((target, up) -> assertThat(up).isEqualTo(1));
                            assertThat(probesPerSecond())
                                    .containsOnlyKeys("1", "2", "3")
                                    .allSatisfy((leader, rate) -> assertThat(rate).isPositive());
                        });
    }

    @Test
    @Order(3)
    void recordedPercentilesArePlausibleAndOrdered() {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> {
                            Map<String, Double> quantiles =
                                    query(
                                            "kafka_canary:end_to_end_latency_seconds_by_cluster:quantile1m",
                                            "quantile");
                            assertThat(quantiles)
                                    .containsOnlyKeys(
                                            "0.5", "0.75", "0.9", "0.95", "0.99", "0.999", "0.9999")
                                    .allSatisfy(
                                            (quantile, seconds) ->
                                                    assertThat(seconds).isBetween(1e-4, 60.0));
                            assertThat(new ArrayList<>(quantiles.values())).isSorted();
                        });
    }

    @Test
    @Order(4)
    void everyPanelOfEveryDashboardShowsSomethingBelievable(@TempDir Path directory)
            throws Exception {
        new GoTests("dashboards", directory)
                .pass(
                        Duration.ofMinutes(5),
                        Map.of("PHASEWISE_PROMETHEUS_URL", prometheus),
                        "-run",
                        "Live",
                        ".");
    }

    @Test
    @Order(5)
    void aKilledBrokerIsNoticedWhileTheOthersGoOnMeasuring() {
        long pid = launcher.component("broker-2").path("pid").asLong();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        await().atMost(PATIENCE).until(() -> http.statusCode(canary + "/-/ready") == 503);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(query("up{job=\"kafka-broker\"}", "broker"))
                                        .containsEntry("1", 1.0)
                                        .containsEntry("2", 0.0)
                                        .containsEntry("3", 1.0));
        assertThat(launcher.component("broker-2").path("healthy").asBoolean()).isFalse();
        // A window that lies wholly behind the kill: the two others have never stopped.
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(probesPerSecond())
                                        .hasEntrySatisfying("1", r -> assertThat(r).isPositive())
                                        .hasEntrySatisfying("3", r -> assertThat(r).isPositive()));
    }

    @Test
    @Order(6)
    void theBrokerComesBackWithoutAHumanHand() {
        Launcher.Result up = launcher.run(Duration.ofMinutes(3), "up", "--detach");

        assertThat(up.exitCode()).as(up.output()).isZero();
        await().atMost(PATIENCE).until(() -> http.statusCode(canary + "/-/ready") == 200);
        await().atMost(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(probesPerSecond())
                                        .containsOnlyKeys("1", "2", "3")
                                        .allSatisfy(
                                                (leader, rate) -> assertThat(rate).isPositive()));
    }

    @Test
    @Order(7)
    void everyScheduledProbeIsAccountedFor() throws IOException {
        for (JsonNode broker : http.json(canary + "/status").at("/clusters/0/brokers")) {
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
    @Order(8)
    void aDeadCanaryPagesTheLocalReceiver() {
        long pid = launcher.component("canary").path("pid").asLong();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        String notifications = "http://127.0.0.1:" + launcher.port(9095) + "/notifications";
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(http.text(notifications)).contains("CanaryDown"));
        assertThat(launcher.run(Duration.ofSeconds(30), "logs", "receiver").output())
                .contains("CanaryDown");
    }

    @Test
    @Order(9)
    void aSecondStackOnTheSamePortsIsRefusedWithTheOwner(@TempDir Path other) {
        Launcher second = new Launcher(other.resolve("state"), launcher.portOffset());
        Launcher.Result up =
                second.run(
                        Duration.ofMinutes(1),
                        "up",
                        "--detach",
                        "--port-offset",
                        String.valueOf(launcher.portOffset()));

        long owner = launcher.component("broker-1").path("pid").asLong();
        assertThat(up.exitCode()).as(up.output()).isEqualTo(1);
        assertThat(up.output())
                .contains(String.valueOf(launcher.port(19092)))
                .contains(String.valueOf(owner))
                .contains("java")
                .contains("--port-offset");
        assertThat(second.processes()).isEmpty();
    }

    @Test
    @Order(10)
    void downLeavesNoProcessAndNoPort() {
        Launcher.Result down = launcher.run(Duration.ofMinutes(2), "down");

        assertThat(down.exitCode()).as(down.output()).isZero();
        assertThat(launcher.processes()).isEmpty();
        assertThat(launcher.portsInUse()).isEmpty();
    }

    @Test
    @Order(11)
    void dataSurvivesDownAndGoesWithPurge() {
        assertThat(launcher.stateDirectory()).isNotEmptyDirectory();

        Launcher.Result purge = launcher.run(Duration.ofMinutes(1), "down", "--purge");

        assertThat(purge.exitCode()).as(purge.output()).isZero();
        assertThat(launcher.stateDirectory())
                .satisfiesAnyOf(
                        state -> assertThat(state).doesNotExist(),
                        state -> assertThat(state).isEmptyDirectory());
    }

    /** An instant query's values by the value of one label. */
    private Map<String, Double> query(String expression, String label)
            throws IOException, InterruptedException {
        Map<String, Double> values = new TreeMap<>();
        for (PrometheusClient.Sample sample :
                new PrometheusClient(URI.create(prometheus), client).query(expression)) {
            values.put(sample.labels().get(label), sample.value());
        }
        return values;
    }

    /** End-to-end observations per second over the last 15 seconds, by leader; native histogram. */
    private Map<String, Double> probesPerSecond() throws IOException, InterruptedException {
        return query(
                "sum by (leader)"
                        + " (histogram_count(rate(kafka_canary_end_to_end_latency_seconds[15s])))",
                "leader");
    }
}
