/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.eventually;
import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.junit.SeriesKind;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * What a detached stack shows, and what it does with a fault. All tests share one stack; each
 * begins when all components are ready. {@link ForegroundIT} tests one in the foreground.
 *
 * <p>A small machine cannot run two whole stacks at a time, hence the lock.
 */
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock("stack")
class StackIT {
    /** For the rule, its ten seconds and the group's five, on a busy machine. */
    private static final Duration PAGE = Duration.ofMinutes(2);

    /** When there are as many series as this long ago, no more will come. */
    private static final Duration SETTLED = Duration.ofSeconds(30);

    private static final String PROBES_PER_SECOND =
            "sum by (leader) (rate(kafka_canary_probes_total{outcome=~\"delivered|late\"}[15s]))";

    private final Http http = new Http();

    @AutoClose
    private Stack stack;

    private String upOutput;

    /** Whether Prometheus has no native histograms. */
    boolean isClassic() {
        return false;
    }

    /** A stack in a directory below that one. */
    Stack stack(Path directory) throws Exception {
        return Stack.shortLived(directory.resolve("state"), Map.of());
    }

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Stack.requireMonitoring();
        stack = stack(directory);
        upOutput = stack.start();
    }

    @BeforeEach
    void restore() {
        stack.restore();
    }

    @Test
    void upStartsEverythingAndSaysWhereItIsReachedAndWhetherItIsTheClassicMode() {
        // `status` waits only some seconds for an answer, so it is asked again.
        eventually(() -> {
            JsonNode components = stack.components();
            assertThat(components.findValuesAsText("name"))
                    .contains("broker-1", "broker-2", "broker-3", "canary", "prometheus")
                    .contains("alertmanager", "receiver", "node-exporter");
            assertThat(components).allMatch(each -> each.path("healthy").asBoolean());
            assertThat(components)
                    .allMatch(each -> ProcessHandle.of(each.get("pid").asLong()).isPresent());
        });
        assertThat(upOutput).contains(stack.url(9090), stack.url(9470));
        assertThat(upOutput.contains("Classic mode: prometheus is ")).isEqualTo(isClassic());
    }

    @Test
    void everyTargetIsUpAndEveryLeaderIsProbed() {
        eventually(() -> {
            assertThat(stack.query("up", "instance"))
                    .hasSizeGreaterThanOrEqualTo(7)
                    .allSatisfy((target, up) -> assertThat(up).isEqualTo(1));
            assertThat(stack.query(PROBES_PER_SECOND, "leader"))
                    .containsOnlyKeys("1", "2", "3")
                    .allSatisfy((leader, rate) -> assertThat(rate).isPositive());
        });
    }

    @Test
    void everyPanelOfEveryDashboardShowsSomethingBelievable() {
        Map<String, String> where = Map.of("PHASEWISE_PROMETHEUS_URL", stack.url(9090));
        GoTests.pass("dashboards", Duration.ofMinutes(12), where, "-run", "Live", ".");
    }

    @Test
    void everyRuleIsEvaluatedWithoutAnError() throws IOException {
        List<String> health = http.json(stack.url(9090) + "/api/v1/rules").findValuesAsText("health");
        // Rules that run every four minutes are "unknown" so far.
        assertThat(health).hasSizeGreaterThan(100).doesNotContain("err");
    }

    @Test
    void seriesStayWithinTheBudget() {
        eventually(() -> {
            SeriesCensus census = census("", Duration.ZERO);
            SeriesCensus before = census(SeriesCensus.COME_BY_AND_BY, SETTLED);
            SeriesCensus now = census(SeriesCensus.COME_BY_AND_BY, Duration.ZERO);
            assertThat(census.isClassic()).isEqualTo(isClassic());
            // Some series exist only after the first marks.
            for (SeriesKind kind : List.of(SeriesKind.BROKER, SeriesKind.LEADER, SeriesKind.PROFILE)) {
                assertThat(before.each(kind)).as(kind.title()).isEqualTo(now.each(kind));
            }
            // A budget far above the real number would bound nothing.
            for (SeriesKind kind : List.of(SeriesKind.BROKER, SeriesKind.LEADER)) {
                assertThat(census.units(kind)).as(kind.title()).isEqualTo(3);
                assertThat(census.each(kind)).as(kind.title()).isGreaterThan(0.6 * kind.budget(isClassic()));
            }
            for (SeriesKind kind : SeriesKind.values()) {
                assertThat(census.each(kind)).as(kind.title()).isLessThanOrEqualTo(kind.budget(isClassic()));
            }
        });
    }

    private SeriesCensus census(String but, Duration before) throws Exception {
        return new SeriesCensus(stack.prometheus().query(SeriesCensus.query(but, before)));
    }

    /**
     * Two of three brokers hang: no probe through them comes back, and the third waits for them, so
     * every probe is bad. Where the alert has fired already, for a busy machine or a broker that
     * was away, the page that it sent then is the one looked at.
     */
    @Test
    void whenEveryProbeIsBadThePageArrivesWithItsTextAndItsRunbook() throws Exception {
        Object[] hanging = {
            stack.process("broker-2").pid(), stack.process("broker-3").pid()
        };
        JsonNode page;
        try {
            Command.signal("STOP", hanging).output(Http.PATIENCE);
            page = patiently()
                    .atMost(PAGE)
                    .alias("a page for MostProbesBad")
                    .until(() -> pageOfWhatFires("MostProbesBad"), found -> found != null);
        } finally {
            Command.signal("CONT", hanging).output(Http.PATIENCE);
        }

        assertThat(page.at("/labels/severity").asText()).isEqualTo("critical");
        assertThat(page.at("/annotations/description").asText())
                .contains("Next step: ", "phase               now    baseline  share")
                .doesNotContain("error expanding template");
        assertThat(http.text(page.at("/annotations/runbook_url").asText())).startsWith("# MostProbesBad");
        assertThat(page.at("/annotations/dashboard_url").asText())
                .matches("http://127\\.0\\.0\\.1:\\d+/d/phasewise-latency-overview\\?var-cluster=.*");
        assertThat(stack.command("logs", "receiver").output(Http.PATIENCE)).contains("MostProbesBad");
    }

    /** The last notification of the alert that fires now; null if there is none yet. */
    private JsonNode pageOfWhatFires(String name) throws IOException {
        for (JsonNode alert : http.json(stack.url(9090) + "/api/v1/alerts").at("/data/alerts")) {
            if (!alert.at("/labels/alertname").asText().equals(name)
                    || !alert.path("state").asText().equals("firing")) {
                continue;
            }
            // Notifications carry milliseconds.
            Instant active = Instant.parse(alert.path("activeAt").asText()).truncatedTo(ChronoUnit.MILLIS);
            for (JsonNode sent : stack.notifiedAlerts()) {
                if (sent.at("/labels/alertname").asText().equals(name)
                        && sent.path("status").asText().equals("firing")
                        && !Instant.parse(sent.path("startsAt").asText()).isBefore(active)) {
                    return sent;
                }
            }
        }
        return null;
    }

    @Test
    void aKilledBrokerIsNoticedWhileTheOthersGoOnMeasuringAndUpBringsItBack() throws Exception {
        stack.process("broker-2").destroyForcibly();

        patiently().until(() -> canaryIsReady() == 503);
        eventually(() -> assertThat(stack.query("up{job=\"kafka-broker\"}", "broker"))
                .isEqualTo(Map.of("1", 1.0, "2", 0.0, "3", 1.0)));
        assertThat(stack.component("broker-2").path("healthy").asBoolean()).isFalse();
        // A window that lies wholly behind the kill: the two others have never stopped.
        eventually(() ->
                assertThat(stack.query(PROBES_PER_SECOND + " > 0", "leader")).containsKeys("1", "3"));

        stack.start();

        patiently().until(() -> canaryIsReady() == 200);
        everyTargetIsUpAndEveryLeaderIsProbed();
    }

    private int canaryIsReady() {
        return http.statusCode(stack.url(9470) + "/-/ready");
    }

    @Test
    void aSecondStackOnTheSamePortsIsRefused(@TempDir Path other) {
        Command.Result second =
                stack.up("--detach", "--state-dir", other.toString()).run(Http.PATIENCE);

        assertThat(second.exitCode()).as(second.output()).isEqualTo(1);
        assertThat(second.output())
                .contains("port " + stack.port(19092) + " (broker-1) is taken; `ss", "--port-offset");
    }
}
