/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static io.phasewise.acceptance.Http.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.process.ManagedProcess;
import io.phasewise.lab.process.ProcessIdentity;
import io.phasewise.lab.series.SeriesCensus;
import io.phasewise.lab.series.SeriesKind;
import io.phasewise.lab.server.PrometheusClient;
import io.phasewise.lab.server.ServerKind;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The life of one detached stack, start to end: each test is a chapter that stands on the one
 * before. {@code -Dphasewise.old-prometheus=DIRECTORY} has it run with the prometheus and promtool
 * of that directory, 2.42 or newer and without native histograms, which is the classic mode.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StackIT {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private static final String BAD_SHARE =
            "sum by (cluster) (increase(kafka_canary_slo_probes_total{verdict=\"bad\"}[30s]))"
                    + " / sum by (cluster) (increase(kafka_canary_slo_probes_total[30s]))";

    private static final String STALLED_SHARE =
            "sum by (cluster) (increase(kafka_canary_stalled_probes_total[1m]))"
                    + " / sum by (cluster) (increase(kafka_canary_probes_total[1m]))";

    private final Path root = Path.of(System.getProperty("phasewise.root"));
    private final String oldPrometheus = System.getProperty("phasewise.old-prometheus");
    private Launcher launcher;
    private String prometheus;
    private String canary;
    private final Http http = new Http();
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    void chooseFreePorts(@TempDir Path directory) throws Exception {
        if (oldPrometheus == null) {
            System.out.println(
                    "The stack is not run in classic mode: -Dphasewise.old-prometheus names no"
                            + " directory that holds prometheus and promtool 2.42 to 3.7");
        }
        launcher =
                Launcher.onFreePorts(
                                directory.resolve("state"),
                                oldPrometheus == null ? Map.of() : onlyOldPrometheus(directory))
                        .shortLived();
        prometheus = "http://127.0.0.1:" + launcher.port(9090);
        canary = "http://127.0.0.1:" + launcher.port(9470);
    }

    @AfterAll
    void stopWhatIsLeft() {
        launcher.run(Duration.ofMinutes(2), "down");
        launcher.close();
    }

    @Test
    @Order(1)
    void upStartsEverythingAndReturnsWhenItIsReady() throws IOException {
        Launcher.Result up = launcher.up(Duration.ofMinutes(15));

        assertThat(up.exitCode()).as(up.output()).isZero();
        assertThat(up.output()).contains(prometheus, canary);
        assertThat(up.output().contains("Classic mode: prometheus is "))
                .as(up.output())
                .isEqualTo(oldPrometheus != null);
        assertThat(http.statusCode(canary + "/-/ready")).isEqualTo(200);
        // One look by `status` waits no longer for an answer than people would.
        patiently(PATIENCE).untilAsserted(this::assertEveryComponentIsHealthy);
    }

    private void assertEveryComponentIsHealthy() {
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
        patiently(PATIENCE)
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

        patiently(PATIENCE).until(() -> http.statusCode(canary + "/-/ready") == 503);
        patiently(PATIENCE)
                .untilAsserted(
                        () ->
                                assertThat(query("up{job=\"kafka-broker\"}", "broker"))
                                        .containsEntry("1", 1.0)
                                        .containsEntry("2", 0.0)
                                        .containsEntry("3", 1.0));
        assertThat(launcher.component("broker-2").path("healthy").asBoolean()).isFalse();
        // A window that lies wholly behind the kill: the two others have never stopped.
        patiently(PATIENCE)
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
        patiently(PATIENCE).until(() -> http.statusCode(canary + "/-/ready") == 200);
        patiently(PATIENCE)
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
    void everyRuleIsEvaluatedWithoutAnError() throws IOException {
        int rules = 0;
        for (JsonNode group : http.json(prometheus + "/api/v1/rules").at("/data/groups")) {
            for (JsonNode rule : group.path("rules")) {
                // Those of every four minutes are "unknown" so far.
                assertThat(rule.path("health").asText()).as(rule.toString()).isNotEqualTo("err");
                rules++;
            }
        }
        assertThat(rules).isGreaterThan(100);
    }

    /** By now everything is there that grows with time. */
    @Test
    @Order(9)
    void seriesStayWithinTheBudget() {
        patiently(PATIENCE)
                .untilAsserted(
                        () -> {
                            SeriesCensus census =
                                    SeriesCensus.of(
                                            new PrometheusClient(URI.create(prometheus), client),
                                            Duration.ofSeconds(5));
                            assertThat(census.isClassic()).isEqualTo(oldPrometheus != null);
                            // Far below it the budget would bound nothing.
                            for (SeriesKind kind : List.of(SeriesKind.BROKER, SeriesKind.LEADER)) {
                                assertThat(census.count(kind).units())
                                        .as(kind.title())
                                        .isEqualTo(3);
                                assertThat(census.count(kind).each())
                                        .as(kind.title())
                                        .isGreaterThan(0.6 * kind.budget(census.isClassic()));
                            }
                            assertThat(census.overBudget()).isEmpty();
                        });
    }

    /**
     * Two of three brokers hang: no probe through them comes back, and the third waits for them, so
     * every probe is bad. The exporters hang with them; that is noticed later than this.
     */
    @Test
    @Order(10)
    void whenEveryProbeIsBadThePageArrivesWithinAMinute() throws Exception {
        awaitCalm();
        List<ManagedProcess> hanging = new ArrayList<>();
        for (String name : List.of("broker-2", "broker-3")) {
            ProcessIdentity broker =
                    ProcessIdentity.of(launcher.component(name).path("pid").asLong()).orElseThrow();
            hanging.add(ManagedProcess.attach(name, broker, launcher.stateDirectory()));
        }
        Instant fault = Instant.now();
        try {
            for (ManagedProcess broker : hanging) {
                broker.pause();
            }
            Page page = pageWithin(Duration.ofSeconds(60), "MostProbesBad", fault);
            System.out.println("the page after a fault that makes every probe bad: " + page);

            assertThat(page.alert().at("/labels/severity").asText()).isEqualTo("critical");
            assertThat(page.alert().at("/annotations/description").asText())
                    .contains("Next step: ", "phase               now    baseline  share")
                    .doesNotContain("error expanding template");
            assertThat(page.alert().at("/annotations/runbook_url").asText())
                    .startsWith("file://")
                    .endsWith("/MostProbesBad.md");
        } finally {
            for (ManagedProcess broker : hanging) {
                broker.resume();
            }
        }
    }

    @Test
    @Order(11)
    void aDeadCanaryPagesTheLocalReceiver() {
        long pid = launcher.component("canary").path("pid").asLong();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();

        String notifications = "http://127.0.0.1:" + launcher.port(9095) + "/notifications";
        patiently(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(http.text(notifications)).contains("CanaryDown"));
        assertThat(launcher.run(Duration.ofSeconds(30), "logs", "receiver").output())
                .contains("CanaryDown");
    }

    @Test
    @Order(12)
    void aSecondStackOnTheSamePortsIsRefusedWithTheOwner(@TempDir Path other) {
        Launcher second = launcher.onTheSamePorts(other.resolve("state"));
        Launcher.Result up = second.up(Duration.ofMinutes(1));

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
    @Order(13)
    void downLeavesNoProcessAndNoPort() {
        Launcher.Result down = launcher.run(Duration.ofMinutes(2), "down");

        assertThat(down.exitCode()).as(down.output()).isZero();
        assertThat(launcher.processes()).isEmpty();
        assertThat(launcher.portsInUse()).isEmpty();
    }

    @Test
    @Order(14)
    void dataSurvivesDownAndGoesWithPurge() {
        assertThat(launcher.stateDirectory()).isNotEmptyDirectory();

        Launcher.Result purge = launcher.run(Duration.ofMinutes(1), "down", "--purge");

        assertThat(purge.exitCode()).as(purge.output()).isZero();
        assertThat(launcher.stateDirectory())
                .satisfiesAnyOf(
                        state -> assertThat(state).doesNotExist(),
                        state -> assertThat(state).isEmptyDirectory());
    }

    /** The old Prometheus on PATH, and a cache without a newer one, which would be preferred. */
    private Map<String, String> onlyOldPrometheus(Path directory)
            throws IOException, InterruptedException {
        Path alertmanager = Servers.get(root, ServerKind.ALERTMANAGER).server().getParent();
        Path cache = Files.createDirectories(directory.resolve("cache/phasewise/servers"));
        Files.createSymbolicLink(cache.resolve(alertmanager.getFileName()), alertmanager);
        return Map.of(
                "PATH",
                oldPrometheus + File.pathSeparator + System.getenv("PATH"),
                "XDG_CACHE_HOME",
                directory.resolve("cache").toString());
    }

    /**
     * Waits until few probes are bad, the canary stands still seldom, and the page of an earlier
     * chapter is over (what is told anew of a group that is not over waits longer); that page is
     * kept for two minutes after its cause. A busy machine can make probes bad all by itself; then
     * a page says nothing about a fault, and the calling test is aborted.
     */
    private void awaitCalm() throws IOException, InterruptedException {
        try {
            patiently(PATIENCE.multipliedBy(3))
                    .untilAsserted(
                            () -> {
                                assertThat(query(BAD_SHARE, "cluster").get("local"))
                                        .isLessThan(0.3);
                                assertThat(query(STALLED_SHARE, "cluster").get("local"))
                                        .isLessThan(0.3);
                                assertThat(firing("MostProbesBad")).isEmpty();
                                assertThat(lastTold("MostProbesBad")).isNotEqualTo("firing");
                            });
        } catch (ConditionTimeoutException busy) {
            String reason =
                    "The page for brokers that hang is not tested: on this machine, now, "
                            + query(BAD_SHARE, "cluster")
                            + " of the probes are bad without a fault, and the canary stands still"
                            + " on the way of "
                            + query(STALLED_SHARE, "cluster");
            System.out.println(reason);
            Assumptions.abort(reason);
        }
    }

    /**
     * What arrived, and how long after the fault, in seconds: until the rule's condition held,
     * until the alert fired, until it was told.
     */
    private record Page(double held, double fired, double told, JsonNode alert) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "condition after %.1f s, alert after %.1f s, page after %.1f s",
                    held,
                    fired,
                    told);
        }
    }

    /**
     * Aborts the calling test where there is no such page in time, but something on this machine
     * explains it: it is overloaded, or the alert is held back, as it should be, because of that.
     */
    private Page pageWithin(Duration limit, String alert, Instant since) throws IOException {
        try {
            return patiently(limit)
                    .pollInterval(Duration.ofMillis(200))
                    .until(() -> page(alert, since), found -> found != null);
        } catch (ConditionTimeoutException late) {
            OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
            boolean overloaded =
                    machine.getSystemLoadAverage() > 5.0 * machine.getAvailableProcessors();
            if (!overloaded
                    && firing("CanaryStarved").isEmpty()
                    && firing("CanaryDown").isEmpty()) {
                throw late;
            }
            String reason =
                    "How long a page takes is not tested: none within "
                            + limit
                            + ", but the load average is "
                            + machine.getSystemLoadAverage()
                            + ", CanaryStarved: "
                            + firing("CanaryStarved").size();
            System.out.println(reason);
            return Assumptions.abort(reason);
        }
    }

    private Page page(String alert, Instant since) throws IOException {
        for (JsonNode notification : notifications()) {
            for (JsonNode told : notification.path("alerts")) {
                Instant received = Instant.parse(notification.path("receivedAt").asText());
                if (told.at("/labels/alertname").asText().equals(alert)
                        && told.path("status").asText().equals("firing")
                        && received.isAfter(since)) {
                    Instant held = Instant.parse(firing(alert).get(0).path("activeAt").asText());
                    Instant fired = Instant.parse(told.path("startsAt").asText());
                    return new Page(
                            seconds(since, held),
                            seconds(since, fired),
                            seconds(since, received),
                            told);
                }
            }
        }
        return null;
    }

    /** "firing" or "resolved", or nothing. */
    private String lastTold(String alert) throws IOException {
        Instant last = Instant.EPOCH;
        String status = "";
        for (JsonNode notification : notifications()) {
            Instant received = Instant.parse(notification.path("receivedAt").asText());
            for (JsonNode told : notification.path("alerts")) {
                if (told.at("/labels/alertname").asText().equals(alert) && received.isAfter(last)) {
                    last = received;
                    status = told.path("status").asText();
                }
            }
        }
        return status;
    }

    private JsonNode notifications() throws IOException {
        return http.json("http://127.0.0.1:" + launcher.port(9095) + "/notifications")
                .path("notifications");
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }

    /** Active alerts of this name, as Prometheus tells them. */
    private List<JsonNode> firing(String name) throws IOException {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode alert : http.json(prometheus + "/api/v1/alerts").at("/data/alerts")) {
            if (alert.at("/labels/alertname").asText().equals(name)) {
                found.add(alert);
            }
        }
        return found;
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

    /** Probes per second that came back within the last 15 seconds, by leader. */
    private Map<String, Double> probesPerSecond() throws IOException, InterruptedException {
        return query(
                "sum by (leader)"
                        + " (rate(kafka_canary_probes_total{outcome=~\"delivered|late\"}[15s]))",
                "leader");
    }
}
