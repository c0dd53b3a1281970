/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.server.Lookup;
import io.phasewise.lab.server.ServerInstallation;
import io.phasewise.lab.server.ServerKind;
import io.phasewise.lab.server.ServerProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets the real promtool and amtool check the configuration of Prometheus and Alertmanager and run
 * the rules' unit tests. Whether the running servers do what they should is left to {@link
 * StackIT}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringConfigIT {

    private static final long BOUND_SECONDS = 120;

    private final Path root = Path.of(System.getProperty("phasewise.root"));
    private final Path prometheus = root.resolve("prometheus");
    private final Path alerting = root.resolve("alerting");

    @TempDir Path directory;
    private String promtool;
    private String amtool;

    @BeforeAll
    void getTheTools() throws InterruptedException {
        ServerProvider servers = ServerProvider.forUser(root, System.getenv());
        promtool = tool(servers, ServerKind.PROMETHEUS);
        amtool = tool(servers, ServerKind.ALERTMANAGER);
    }

    private static String tool(ServerProvider servers, ServerKind kind)
            throws InterruptedException {
        Lookup<ServerInstallation> lookup = servers.findOrBuild(kind, (stage, done, total) -> {});
        if (lookup instanceof Lookup.Missing<ServerInstallation> missing) {
            throw new AssertionError(
                    "no " + kind.tool() + ": " + missing.reason() + ". " + missing.howToGet());
        }
        return ((Lookup.Found<ServerInstallation>) lookup).installation().tool().toString();
    }

    @Test
    void prometheusAcceptsItsConfigurationWithTheTargetsOfCompose() throws Exception {
        Path copy = directory.resolve("prometheus");
        copyFiles(prometheus.resolve("rules"), copy.resolve("rules"));
        copyFiles(prometheus.resolve("compose/targets"), copy.resolve("targets"));
        Files.copy(prometheus.resolve("prometheus.yml"), copy.resolve("prometheus.yml"));

        assertThat(run(promtool, "check", "config", copy.resolve("prometheus.yml").toString()))
                // Files of targets that are not there are only warned about.
                .doesNotContain("WARNING");
    }

    @TestFactory
    Stream<DynamicTest> promtoolAcceptsEveryRuleFile() throws IOException {
        return files(prometheus.resolve("rules"))
                .map(
                        file ->
                                test(
                                        file,
                                        () ->
                                                run(
                                                        promtool,
                                                        "check",
                                                        "rules",
                                                        "--lint=all",
                                                        "--lint-fatal",
                                                        file.toString())));
    }

    @TestFactory
    Stream<DynamicTest> everyUnitTestOfTheRulesPasses() throws IOException {
        return files(prometheus.resolve("tests"))
                .map(file -> test(file, () -> run(promtool, "test", "rules", file.toString())));
    }

    @Test
    void alertmanagerAcceptsItsConfiguration() throws Exception {
        run(amtool, "check-config", alerting.resolve("alertmanager.yml").toString());
    }

    @Test
    void everyAlertGoesToTheLocalReceiver() throws Exception {
        String configuration = "--config.file=" + alerting.resolve("alertmanager.yml");
        for (String severity : List.of("critical", "warning")) {
            assertThat(
                            run(
                                            amtool,
                                            "config",
                                            "routes",
                                            "test",
                                            configuration,
                                            "alertname=CanaryDown",
                                            "cluster=local",
                                            "severity=" + severity)
                                    .strip())
                    .isEqualTo("local");
        }
    }

    @TestFactory
    Stream<DynamicTest> everyAlertHasSeveritySummaryDescriptionAndARunbookThatIsThere()
            throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path file : files(prometheus.resolve("rules")).toList()) {
            for (String alert : alerts(Files.readString(file))) {
                String name = firstWord(alert);
                tests.add(
                        DynamicTest.dynamicTest(
                                name,
                                () -> {
                                    assertThat(alert)
                                            .contains(
                                                    "severity:",
                                                    "summary:",
                                                    "description:",
                                                    "/runbooks/" + name + ".md");
                                    assertThat(alerting.resolve("runbooks/" + name + ".md"))
                                            .content()
                                            .startsWith("# " + name)
                                            .contains(
                                                    "## Meaning",
                                                    "## Impact",
                                                    "## Diagnosis",
                                                    "## Mitigation");
                                }));
            }
        }
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }

    /** The text of each alert, from its name to the next rule. */
    private static List<String> alerts(String rules) {
        return Pattern.compile(
                        "- alert: (.+?)(?=\\n *- (?:alert|record|name):|\\z)", Pattern.DOTALL)
                .matcher(rules)
                .results()
                .map(MatchResult::group)
                .map(text -> text.substring("- alert: ".length()))
                .toList();
    }

    private static String firstWord(String text) {
        return text.split("\\s", 2)[0];
    }

    private DynamicTest test(Path file, org.junit.jupiter.api.function.Executable body) {
        return DynamicTest.dynamicTest(root.relativize(file).toString(), body);
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
