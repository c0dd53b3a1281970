/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;

/**
 * Lets the real promtool and amtool check the configuration of Prometheus and Alertmanager and run
 * the rules' unit tests. Whether the running servers do what they should is left to {@link
 * StackIT}, the runbooks to {@link RunbooksTest}.
 */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringConfigIT {

    /** The longest of the rules' tests needs 15 s of a processor, which it may have to share. */
    private static final long BOUND_SECONDS = 300;

    private final Path root = Path.of(System.getProperty("phasewise.root"));
    private final Path prometheus = root.resolve("prometheus");
    private final Path alerting = root.resolve("alerting");

    @TempDir Path directory;
    private String promtool;
    private String amtool;

    @BeforeAll
    void getTheTools() throws InterruptedException {
        promtool = Servers.get(root, ServerKind.PROMETHEUS).tool().toString();
        amtool = Servers.get(root, ServerKind.ALERTMANAGER).tool().toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"prometheus.yml", "prometheus-classic.yml", "prometheus-secured.yml"})
    void prometheusAcceptsItsConfigurationWithTheTargetsOfCompose(String file) throws Exception {
        Path copy = directory.resolve(file + "-copy");
        for (String rules : List.of("rules", "rules/native", "rules/classic")) {
            copyFiles(prometheus.resolve(rules), copy.resolve(rules));
        }
        copyFiles(prometheus.resolve("compose/targets"), copy.resolve("targets"));
        Files.copy(prometheus.resolve("links.yml"), copy.resolve("links.yml"));
        Files.copy(prometheus.resolve(file), copy.resolve(file));

        assertThat(run(promtool, "check", "config", copy.resolve(file).toString()))
                // Files of targets that are not there are only warned about.
                .doesNotContain("WARNING");
    }

    @Test
    void aRuleThatDoesNotParseIsToldWithFileAndLine() throws Exception {
        Path broken = directory.resolve("broken.yml");
        Files.writeString(
                broken,
                """
                groups:
                  - name: a
                    rules:
                      - record: b
                        expr: sum(rate(c[5m])
                """);

        assertThatThrownBy(() -> run(promtool, "check", "rules", broken.toString()))
                .hasMessageContainingAll(broken.toString(), "5:", "unclosed left parenthesis");
    }

    @Test
    void promtoolAcceptsEveryRuleFile() throws Exception {
        List<String> command =
                new ArrayList<>(List.of(promtool, "check", "rules", "--lint=all", "--lint-fatal"));
        ruleFiles().forEach(file -> command.add(file.toString()));
        for (String links :
                List.of("links.yml", "compose/links.yml", "compose/links-secured.yml")) {
            command.add(prometheus.resolve(links).toString());
        }
        run(command.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"alertmanager.yml", "production.yml"})
    void alertmanagerAcceptsItsConfiguration(String file) throws Exception {
        run(amtool, "check-config", alerting.resolve(file).toString());
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
            String alert, String severity, String team, String receiver) throws Exception {
        for (String file : List.of("alertmanager.yml", "production.yml")) {
            assertThat(
                            run(
                                            amtool,
                                            "config",
                                            "routes",
                                            "test",
                                            "--config.file=" + alerting.resolve(file),
                                            "alertname=" + alert,
                                            "cluster=local",
                                            "severity=" + severity,
                                            "team=" + team)
                                    .strip())
                    .as(file)
                    .isEqualTo(receiver);
        }
    }

    @Test
    void productionRoutesAndInhibitsAsTheLocalStackDoesButForMuteTimes() throws Exception {
        Map<String, Object> local = yaml(alerting.resolve("alertmanager.yml"));
        Map<String, Object> production = yaml(alerting.resolve("production.yml"));

        assertThat(production.get("inhibit_rules")).isEqualTo(local.get("inhibit_rules"));
        assertThat(withoutMuteTimes(production.get("route"))).isEqualTo(local.get("route"));
    }

    @SuppressWarnings("unchecked")
    private static Object withoutMuteTimes(Object route) {
        Map<String, Object> copy = new LinkedHashMap<>((Map<String, Object>) route);
        copy.remove("mute_time_intervals");
        copy.computeIfPresent(
                "routes",
                (key, routes) ->
                        ((List<Object>) routes)
                                .stream().map(MonitoringConfigIT::withoutMuteTimes).toList());
        return copy;
    }

    @Test
    void everyAlertHasAUnitTestThatItFiresAndOneThatItDoesNot() throws IOException {
        Set<String> firing = new TreeSet<>();
        Set<String> silent = new TreeSet<>();
        for (Path file : files(prometheus.resolve("tests")).toList()) {
            for (Map<String, Object> test : list(yaml(file).get("tests"))) {
                for (Map<String, Object> expected : list(test.get("alert_rule_test"))) {
                    boolean fires = !list(expected.get("exp_alerts")).isEmpty();
                    (fires ? firing : silent).add((String) expected.get("alertname"));
                }
            }
        }
        // Which fires always.
        silent.add("Watchdog");

        assertThat(firing).containsAll(alerts());
        assertThat(silent).containsAll(alerts());
    }

    /** The names of all alerts of the rules. */
    private Set<String> alerts() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path file : ruleFiles().toList()) {
            for (Map<String, Object> group : list(yaml(file).get("groups"))) {
                for (Map<String, Object> rule : list(group.get("rules"))) {
                    if (rule.get("alert") instanceof String name) {
                        names.add(name);
                    }
                }
            }
        }
        assertThat(names).isNotEmpty();
        return names;
    }

    private static Map<String, Object> yaml(Path file) throws IOException {
        LoaderOptions options = new LoaderOptions();
        // As many tests as there are may share what they expect.
        options.setMaxAliasesForCollections(1000);
        return new Yaml(options).load(Files.readString(file));
    }

    /** An absent list is an empty one. */
    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return value == null ? List.of() : (List<Map<String, Object>>) value;
    }

    private Stream<Path> ruleFiles() throws IOException {
        return Stream.of("rules", "rules/native", "rules/classic")
                .flatMap(
                        directory -> {
                            try {
                                return files(prometheus.resolve(directory));
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
    }

    private static Stream<Path> files(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(directory)) {
            files = all.filter(file -> file.toString().endsWith(".yml")).sorted().toList();
        }
        assertThat(files).as("files in " + directory).isNotEmpty();
        return files.stream();
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (Path file : files(from).toList()) {
            Files.copy(file, to.resolve(file.getFileName()));
        }
    }

    /** Runs a tool; its output is the result, or the message of the failure. */
    private static String run(String... command) throws IOException, InterruptedException {
        Path output = Files.createTempFile("tool", ".txt");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
            boolean ended = process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly();
            }
            String text = Files.readString(output);
            assertThat(ended && process.exitValue() == 0)
                    .as(String.join(" ", command) + "\n" + text)
                    .isTrue();
            return text;
        } finally {
            Files.delete(output);
        }
    }
}
