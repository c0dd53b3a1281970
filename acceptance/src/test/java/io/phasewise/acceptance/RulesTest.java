/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.server.ServerKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lets promtool run the unit tests of recording rules and alerts: no network, no real clock. The
 * rules' syntax is left to {@link MonitoringConfigIT}, a page from end to end to {@link StackIT}.
 */
class RulesTest {
    private final Path prometheus = Path.of(System.getProperty("phasewise.root"), "prometheus");

    /** One promtool uses one processor. */
    private final ExecutorService processors = Executors.newFixedThreadPool(2);

    @AfterEach
    void end() {
        processors.shutdownNow();
    }

    @TestFactory
    Stream<DynamicTest> everyUnitTestOfTheRulesPasses(@TempDir Path directory) throws Exception {
        String promtool =
                Servers.get(prometheus.getParent(), ServerKind.PROMETHEUS).tool().toString();
        List<Path> files;
        try (Stream<Path> all = Files.list(prometheus.resolve("tests"))) {
            files = all.filter(file -> file.toString().endsWith(".yml")).sorted().toList();
        }
        assertThat(files).isNotEmpty();
        Map<String, Future<String>> failures = new LinkedHashMap<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            failures.put(
                    name,
                    processors.submit(
                            () -> failure(promtool, file, directory.resolve(name + ".out"))));
        }
        return failures.entrySet().stream()
                .map(
                        entry ->
                                DynamicTest.dynamicTest(
                                        entry.getKey(),
                                        () -> assertThat(entry.getValue().get()).isEmpty()));
    }

    /** What promtool says of a file whose tests do not pass, else nothing. */
    private static String failure(String promtool, Path file, Path output)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(promtool, "test", "rules", file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        // A third of its time went into collecting what it leaves behind.
        builder.environment().put("GOGC", "800");
        Process process = builder.start();
        try {
            return process.waitFor() == 0 ? "" : Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }
}
