/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.eventually;
import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.series.SeriesKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What has to be true of any detached stack, native or classic. All tests of a class share one;
 * each begins when all of it is ready. How stacks begin and end is left to {@link ForegroundIT}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AnyStack {
    /** The rule, its ten seconds and the group's five, on a machine that does much else. */
    private static final Duration PAGE = Duration.ofMinutes(2);

    private final boolean classic;
    private final Http http = new Http();
    private RunningStack stack;

    AnyStack(boolean classic) {
        this.classic = classic;
    }

    /** What starts the stack, with a state below that directory. */
    abstract Launcher launcher(Path directory) throws Exception;

    RunningStack stack() {
        return stack;
    }

    Http http() {
        return http;
    }

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        stack = RunningStack.start(launcher(directory).shortLived());
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
    void upStartsEverythingAndSaysWhereItIsReachedAndWhetherItIsTheClassicMode() {
        // One look by `status` waits no longer for an answer than people would.
        eventually(this::assertStatusSaysHealthy);
        assertThat(stack.upOutput()).contains(stack.url(9090), stack.url(9470));
        assertThat(stack.upOutput().contains("Classic mode: prometheus is ")).isEqualTo(classic);
    }

    private void assertStatusSaysHealthy() {
        JsonNode components = stack.launcher().status().path("components");
        for (JsonNode component : components) {
            assertThat(component.path("healthy").asBoolean()).as(component.toString()).isTrue();
            assertThat(ProcessHandle.of(component.path("pid").asLong()))
                    .as(component.toString())
                    .isPresent();
        }
        assertThat(components.findValuesAsText("name"))
                .contains(
                        "broker-1",
                        "broker-2",
                        "broker-3",
                        "canary",
                        "prometheus",
                        "alertmanager",
                        "receiver",
                        "node-exporter");
    }

    @Test
    void everyTargetIsUpAndEveryLeaderIsProbed() {
        eventually(
                () -> {
                    assertThat(stack.query("up", "instance"))
                            .hasSizeGreaterThanOrEqualTo(7)
                            .allSatisfy((target, up) -> assertThat(up).isEqualTo(1));
                    assertThat(probesPerSecond())
                            .containsOnlyKeys("1", "2", "3")
                            .allSatisfy((leader, rate) -> assertThat(rate).isPositive());
                });
    }

    /** Probes per second that came back within the last 15 seconds, by leader. */
    Map<String, Double> probesPerSecond() throws IOException, InterruptedException {
        return stack.query(
                "sum by (leader)"
                        + " (rate(kafka_canary_probes_total{outcome=~\"delivered|late\"}[15s]))",
                "leader");
    }

    @Test
    void recordedPercentilesArePlausibleAndOrdered() {
        String percentiles = "kafka_canary:end_to_end_latency_seconds_by_cluster:quantile1m";
        eventually(
                () -> {
                    Map<String, Double> quantiles = stack.query(percentiles, "quantile");
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
    void everyPanelOfEveryDashboardShowsSomethingBelievable() {
        GoTests.pass(
                "dashboards",
                Duration.ofMinutes(12),
                Map.of("PHASEWISE_PROMETHEUS_URL", stack.url(9090)),
                "-run",
                "Live",
                ".");
    }

    @Test
    void everyRuleIsEvaluatedWithoutAnError() throws IOException {
        List<String> health =
                http.json(stack.url(9090) + "/api/v1/rules").findValuesAsText("health");
        // Those of every four minutes are "unknown" so far.
        assertThat(health).hasSizeGreaterThan(100).doesNotContain("err");
    }

    @Test
    void seriesStayWithinTheBudget() {
        eventually(
                () -> {
                    SeriesCensus census = SeriesCensus.of(stack.prometheus());
                    assertThat(census.isClassic()).isEqualTo(classic);
                    // Far below it the budget would bound nothing.
                    for (SeriesKind kind : List.of(SeriesKind.BROKER, SeriesKind.LEADER)) {
                        SeriesCensus.Count count = census.count(kind);
                        assertThat(count.units()).as(kind.title()).isEqualTo(3);
                        assertThat(count.each())
                                .as(kind.title())
                                .isGreaterThan(0.6 * kind.budget(classic));
                    }
                    assertThat(census.overBudget()).isEmpty();
                });
    }

    /**
     * Two of three brokers hang: no probe through them comes back, and the third waits for them, so
     * every probe is bad. Where the alert has fired already, for a busy machine or a broker that
     * was away, the page that it sent then is the one looked at.
     */
    @Test
    void whenEveryProbeIsBadThePageArrivesWithItsTextAndItsRunbook() throws Exception {
        List<ManagedProcess> hanging = new ArrayList<>();
        for (String name : List.of("broker-2", "broker-3")) {
            long pid = stack.launcher().component(name).path("pid").asLong();
            hanging.add(
                    ManagedProcess.attach(
                            name,
                            ProcessIdentity.of(pid).orElseThrow(),
                            stack.launcher().stateDirectory()));
        }
        JsonNode page;
        try {
            for (ManagedProcess broker : hanging) {
                broker.pause();
            }
            page =
                    patiently()
                            .atMost(PAGE)
                            .alias("a page for MostProbesBad")
                            .until(() -> pageOfWhatFires("MostProbesBad"), found -> found != null);
        } finally {
            for (ManagedProcess broker : hanging) {
                broker.resume();
            }
        }

        assertThat(page.at("/labels/severity").asText()).isEqualTo("critical");
        assertThat(page.at("/annotations/description").asText())
                .contains("Next step: ", "phase               now    baseline  share")
                .doesNotContain("error expanding template");
        assertThat(http.text(page.at("/annotations/runbook_url").asText()))
                .startsWith("# MostProbesBad");
        assertThat(page.at("/annotations/dashboard_url").asText())
                .matches(
                        "http://127\\.0\\.0\\.1:\\d+/d/phasewise-latency-overview\\?var-cluster=.*");
        assertThat(stack.launcher().run(Duration.ofSeconds(30), "logs", "receiver").output())
                .contains("MostProbesBad");
    }

    /** What the receiver was told of the alert that fires now; null if nothing yet. */
    private JsonNode pageOfWhatFires(String name) throws IOException {
        for (JsonNode alert : http.json(stack.url(9090) + "/api/v1/alerts").at("/data/alerts")) {
            if (!alert.at("/labels/alertname").asText().equals(name)
                    || !alert.path("state").asText().equals("firing")) {
                continue;
            }
            // Notifications carry milliseconds.
            Instant active =
                    Instant.parse(alert.path("activeAt").asText()).truncatedTo(ChronoUnit.MILLIS);
            for (JsonNode told : stack.told()) {
                if (told.at("/labels/alertname").asText().equals(name)
                        && told.path("status").asText().equals("firing")
                        && !Instant.parse(told.path("startsAt").asText()).isBefore(active)) {
                    return told;
                }
            }
        }
        return null;
    }
}
