/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.common.prometheus.PrometheusClient;
import io.phasewise.common.prometheus.Sample;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.series.SeriesKind;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A detached stack that the tests of a class share, and what has to be true of any such stack.
 * Which stack it is, and what is done to it, is left to the tests.
 */
final class RunningStack implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final Duration FIRST_START = Duration.ofMinutes(15);

    /** The rule, its ten seconds and the group's five, on a machine that does much else. */
    private static final Duration PAGE = Duration.ofMinutes(2);

    private final Launcher launcher;
    private final PrometheusClient prometheus;
    private final Http http = new Http();
    private final String upOutput;

    private RunningStack(Launcher launcher, String upOutput) {
        this.launcher = launcher;
        this.upOutput = upOutput;
        this.prometheus = PrometheusClient.open(URI.create(prometheusUrl()));
    }

    /** Starts it on the launcher's ports; the launcher is closed with it. */
    static RunningStack start(Launcher launcher) {
        Launcher.Result up = launcher.up(FIRST_START);
        if (up.exitCode() != 0) {
            launcher.run(Duration.ofMinutes(2), "down");
            launcher.close();
            throw new AssertionError("up: exit code " + up.exitCode() + "\n" + up.output());
        }
        return new RunningStack(launcher, up.output());
    }

    Launcher launcher() {
        return launcher;
    }

    /** What {@code up} printed when it was started. */
    String upOutput() {
        return upOutput;
    }

    String prometheusUrl() {
        return "http://127.0.0.1:" + launcher.port(9090);
    }

    String canaryUrl() {
        return "http://127.0.0.1:" + launcher.port(9470);
    }

    /** Starts again what an earlier test ended, and waits until all of it is ready. */
    void restore() {
        if (!isReady()) {
            startWhatIsDown();
            patiently(PATIENCE).until(this::isReady);
        }
    }

    /** The canary is ready when it measures every broker. */
    private boolean isReady() {
        return IntStream.of(9470, 9090, 9093)
                .allMatch(
                        port ->
                                http.statusCode(
                                                "http://127.0.0.1:"
                                                        + launcher.port(port)
                                                        + "/-/ready")
                                        == 200);
    }

    void startWhatIsDown() {
        Launcher.Result up = launcher.run(Duration.ofMinutes(3), "up", "--detach");
        assertThat(up.exitCode()).as(up.output()).isZero();
    }

    void assertEveryComponentIsHealthy() {
        // One look by `status` waits no longer for an answer than people would.
        patiently(PATIENCE).untilAsserted(this::assertStatusSaysHealthy);
    }

    private void assertStatusSaysHealthy() {
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
                        "receiver",
                        "node-exporter");
    }

    void assertEveryTargetIsUpAndEveryLeaderIsProbed() {
        patiently(PATIENCE)
                .untilAsserted(
                        () -> {
                            assertThat(query("up", "instance"))
                                    .hasSizeGreaterThanOrEqualTo(7)
                                    .allSatisfy((target, up) -> assertThat(up).isEqualTo(1));
                            assertThat(probesPerSecond())
                                    .containsOnlyKeys("1", "2", "3")
                                    .allSatisfy((leader, rate) -> assertThat(rate).isPositive());
                        });
    }

    void assertRecordedPercentilesArePlausibleAndOrdered() {
        patiently(PATIENCE)
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

    void assertEveryPanelShowsSomethingBelievable(Path directory) throws Exception {
        new GoTests("dashboards", directory)
                .pass(
                        Duration.ofMinutes(12),
                        Map.of("PHASEWISE_PROMETHEUS_URL", prometheusUrl()),
                        "-run",
                        "Live",
                        ".");
    }

    void assertEveryRuleIsEvaluatedWithoutAnError() throws IOException {
        int rules = 0;
        for (JsonNode group : http.json(prometheusUrl() + "/api/v1/rules").at("/data/groups")) {
            for (JsonNode rule : group.path("rules")) {
                // Those of every four minutes are "unknown" so far.
                assertThat(rule.path("health").asText()).as(rule.toString()).isNotEqualTo("err");
                rules++;
            }
        }
        assertThat(rules).isGreaterThan(100);
    }

    void assertSeriesStayWithinTheBudget(boolean classic) {
        patiently(PATIENCE)
                .untilAsserted(
                        () -> {
                            SeriesCensus census = SeriesCensus.of(prometheus);
                            assertThat(census.isClassic()).isEqualTo(classic);
                            // Far below it the budget would bound nothing.
                            for (SeriesKind kind : List.of(SeriesKind.BROKER, SeriesKind.LEADER)) {
                                assertThat(census.count(kind).units())
                                        .as(kind.title())
                                        .isEqualTo(3);
                                assertThat(census.count(kind).each())
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
    void assertThePageArrivesWhenEveryProbeIsBad() throws Exception {
        List<ManagedProcess> hanging = new ArrayList<>();
        for (String name : List.of("broker-2", "broker-3")) {
            ProcessIdentity broker =
                    ProcessIdentity.of(launcher.component(name).path("pid").asLong()).orElseThrow();
            hanging.add(ManagedProcess.attach(name, broker, launcher.stateDirectory()));
        }
        JsonNode page;
        try {
            for (ManagedProcess broker : hanging) {
                broker.pause();
            }
            page =
                    patiently(PAGE)
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
        assertThat(launcher.run(Duration.ofSeconds(30), "logs", "receiver").output())
                .contains("MostProbesBad");
    }

    /** What the receiver was told of the alert that fires now; null if nothing yet. */
    private JsonNode pageOfWhatFires(String name) throws IOException {
        for (JsonNode alert : http.json(prometheusUrl() + "/api/v1/alerts").at("/data/alerts")) {
            if (!alert.at("/labels/alertname").asText().equals(name)
                    || !alert.path("state").asText().equals("firing")) {
                continue;
            }
            // Notifications carry milliseconds.
            Instant active =
                    Instant.parse(alert.path("activeAt").asText()).truncatedTo(ChronoUnit.MILLIS);
            String receiver = "http://127.0.0.1:" + launcher.port(9095) + "/notifications";
            for (JsonNode notification : http.json(receiver).path("notifications")) {
                for (JsonNode told : notification.path("alerts")) {
                    if (told.at("/labels/alertname").asText().equals(name)
                            && told.path("status").asText().equals("firing")
                            && !Instant.parse(told.path("startsAt").asText()).isBefore(active)) {
                        return told;
                    }
                }
            }
        }
        return null;
    }

    /** An instant query's values by the value of one label. */
    Map<String, Double> query(String expression, String label)
            throws IOException, InterruptedException {
        Map<String, Double> values = new TreeMap<>();
        for (Sample sample : prometheus.query(expression)) {
            values.put(sample.labels().getOrDefault(label, ""), sample.value());
        }
        return values;
    }

    /** Probes per second that came back within the last 15 seconds, by leader. */
    Map<String, Double> probesPerSecond() throws IOException, InterruptedException {
        return query(
                "sum by (leader)"
                        + " (rate(kafka_canary_probes_total{outcome=~\"delivered|late\"}[15s]))",
                "leader");
    }

    /** Ends all of it. */
    @Override
    public void close() {
        launcher.run(Duration.ofMinutes(2), "down");
        launcher.close();
    }
}
