/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lets the real promtool and amtool check the configuration of Prometheus and Alertmanager. Whether
 * the running servers do what they should is left to {@link StackIT}, the rules' unit tests to
 * {@link RulesTest}, the runbooks to {@link RunbooksTest}.
 */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringConfigIT {
    private static final Duration BOUND = Duration.ofMinutes(2);

    private Path promtool;
    private Path amtool;

    @BeforeAll
    void getTheTools() throws InterruptedException {
        promtool = Servers.get(ServerKind.PROMETHEUS).tool();
        amtool = Servers.get(ServerKind.ALERTMANAGER).tool();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus.yml", "prometheus-classic.yml", "prometheus-secured.yml"})
    void prometheusAcceptsItsConfigurationWithTheTargetsOfCompose(String file, @TempDir Path copy)
            throws Exception {
        copy("prometheus/rules", copy.resolve("rules"));
        copy("prometheus/compose/targets", copy.resolve("targets"));
        Files.copy(Repository.path("prometheus/links.yml"), copy.resolve("links.yml"));
        Path configuration = Files.copy(Repository.path("prometheus/" + file), copy.resolve(file));

        assertThat(Command.of(promtool, "check", "config", configuration).output(BOUND))
                // Files of targets that are not there are only warned about.
                .doesNotContain("WARNING");
    }

    private static void copy(String from, Path to) throws IOException {
        for (Path file : Repository.files(from, ".yml")) {
            Path target = to.resolve(Repository.path(from).relativize(file));
            Files.createDirectories(target.getParent());
            Files.copy(file, target);
        }
    }

    @Test
    void promtoolAcceptsEveryRuleFile() {
        List<Path> files = new ArrayList<>(Repository.files("prometheus/rules", ".yml"));
        for (String links :
                List.of("links.yml", "compose/links.yml", "compose/links-secured.yml")) {
            files.add(Repository.path("prometheus/" + links));
        }
        Command.of(promtool, "check", "rules", "--lint=all", "--lint-fatal")
                .and(files.toArray())
                .output(BOUND);
    }

    @ParameterizedTest
    @CsvSource({
        "SLOFastBurn, critical, kafka, pager",
        "SLOSlowBurn, warning, kafka, tickets",
        "CanaryDown, critical, monitoring, pager-monitoring",
        "CanaryStarved, warning, monitoring, tickets-monitoring",
        "Watchdog, none, monitoring, dead-mans-switch",
        "SomebodyElses, warning, payments, tickets",
    })
    void alertsAreRoutedBySeverityAndTeam(
            String alert, String severity, String team, String receiver) {
        for (String file : List.of("alertmanager.yml", "production.yml")) {
            assertThat(
                            Command.of(amtool, "config", "routes", "test")
                                    .and("--config.file=" + Repository.path("alerting/" + file))
                                    .and("alertname=" + alert, "cluster=local")
                                    .and("severity=" + severity, "team=" + team)
                                    .output(BOUND))
                    .as(file)
                    .isEqualTo(receiver);
        }
    }

    @Test
    void productionRoutesAndInhibitsAsTheLocalStackDoesButForMuteTimes() {
        JsonNode local = Repository.yaml("alerting/alertmanager.yml");
        JsonNode production = Repository.yaml("alerting/production.yml");

        assertThat(production.get("inhibit_rules")).isEqualTo(local.get("inhibit_rules"));
        JsonNode route = production.get("route");
        for (JsonNode muted : route.findParents("mute_time_intervals")) {
            ((ObjectNode) muted).remove("mute_time_intervals");
        }
        assertThat(route).isEqualTo(local.get("route"));
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
        // Which fires always.
        silent.add("Watchdog");

        assertThat(alerts).isNotEmpty();
        assertThat(firing).containsAll(alerts);
        assertThat(silent).containsAll(alerts);
    }
}
