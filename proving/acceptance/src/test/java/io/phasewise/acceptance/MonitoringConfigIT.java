/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.phasewise.lab.junit.TestServers;
import io.phasewise.lab.server.ServerKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Has the real promtool and amtool check the configuration of Prometheus and Alertmanager, and run
 * the unit tests of the rules. {@link StackIT} tests the running servers, {@link RunbooksTest} the
 * runbooks, {@link AlertmanagerConfigTest} that Alertmanager's files and page agree.
 */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringConfigIT {
    /** The longest test takes 15 s of processor time, on processors that others use too. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    private Path promtool;
    private Path amtool;

    @BeforeAll
    void getTheTools() throws InterruptedException {
        promtool = TestServers.get(ServerKind.PROMETHEUS).tool();
        amtool = TestServers.get(ServerKind.ALERTMANAGER).tool();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus.yml", "prometheus-classic.yml", "prometheus-secured.yml"})
    void prometheusAcceptsItsConfigurationWithTheTargetsOfCompose(String file, @TempDir Path copy) {
        Command.of("cp", "-R", "rules", "compose/targets", "links.yml", file, copy)
                .in(Repository.path("prometheus"))
                .output(BOUND);

        assertThat(Command.of(promtool, "check", "config", copy.resolve(file)).output(BOUND))
                // For target files that are missing there are only warnings.
                .doesNotContain("WARNING");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fewer-series.yml", "remote-write-fleet.yml"})
    void prometheusAcceptsTheSamplesOfConfiguration(String file) {
        Command.of(promtool, "check", "config", Repository.path("prometheus/" + file))
                .output(BOUND);
    }

    @Test
    void promtoolAcceptsEveryRuleFile() {
        List<Path> files = new ArrayList<>(Repository.files("prometheus/rules", ".yml"));
        for (String more : List.of("fleet-rules.yml", "links.yml", "compose/links.yml", "compose/links-secured.yml")) {
            files.add(Repository.path("prometheus/" + more));
        }
        Command.of(promtool, "check", "rules", "--lint=all", "--lint-fatal")
                .and(files.toArray())
                .output(BOUND);
    }

    static Stream<String> unitTests() {
        return Repository.files("prometheus/tests", ".yml").stream().map(Repository::name);
    }

    @ParameterizedTest
    @MethodSource("unitTests")
    void theUnitTestsOfTheRulesPass(String file) {
        // Garbage collection took a third of its time.
        Command.of(promtool, "test", "rules", file).with("GOGC", "800").output(BOUND);
    }

    /** The routes of production; those of the local stack are the same. */
    @ParameterizedTest
    @CsvSource({
        "SLOFastBurn, critical, kafka, pager",
        "SLOSlowBurn, warning, kafka, tickets",
        "CanaryDown, critical, monitoring, pager-monitoring",
        "CanaryStarved, warning, monitoring, tickets-monitoring",
        "Watchdog, none, monitoring, dead-mans-switch",
        "SomebodyElses, warning, payments, tickets",
    })
    void alertsAreRoutedBySeverityAndTeam(String alert, String severity, String team, String receiver) {
        assertThat(Command.of(amtool, "config", "routes", "test")
                        .and("--config.file=" + Repository.path("alerting/production.yml"))
                        .and("alertname=" + alert, "cluster=local")
                        .and("severity=" + severity, "team=" + team)
                        .output(BOUND))
                .isEqualTo(receiver);
    }

    @Test
    void everyAlertHasAUnitTestThatItFiresAndOneThatItDoesNot() {
        Set<String> alerts = new TreeSet<>();
        for (Path file : Repository.files("prometheus/rules", ".yml")) {
            alerts.addAll(Repository.yaml(Repository.name(file)).findValuesAsText("alert"));
        }
        Set<String> firing = new TreeSet<>();
        Set<String> silent = new TreeSet<>();
        for (Path file : Repository.files("prometheus/tests", ".yml")) {
            for (JsonNode test : Repository.yaml(Repository.name(file)).path("tests")) {
                for (JsonNode expected : test.path("alert_rule_test")) {
                    boolean fires = !expected.path("exp_alerts").isEmpty();
                    (fires ? firing : silent).add(expected.path("alertname").asText());
                }
            }
        }
        // It always fires.
        silent.add("Watchdog");

        assertThat(alerts).isNotEmpty();
        assertThat(firing).containsAll(alerts);
        assertThat(silent).containsAll(alerts);
    }
}
