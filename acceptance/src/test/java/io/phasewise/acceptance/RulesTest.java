/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.server.ServerKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Lets promtool run the unit tests of recording rules and alerts: no network, no real clock. The
 * rules' syntax is left to {@link MonitoringConfigIT}, a page from end to end to {@link StackIT}.
 */
class RulesTest {
    /** The longest needs 15 s of a processor, which it may have to share. */
    private static final Duration BOUND = Duration.ofMinutes(5);

    /** One promtool uses one processor. */
    private final ExecutorService processors = Executors.newFixedThreadPool(2);

    @AfterEach
    void end() {
        processors.shutdownNow();
    }

    @TestFactory
    Stream<DynamicTest> everyUnitTestOfTheRulesPasses() throws Exception {
        Path promtool = Servers.get(ServerKind.PROMETHEUS).tool();
        List<DynamicTest> tests =
                Repository.files("prometheus/tests", ".yml").stream()
                        .map(
                                file -> {
                                    // A third of its time went into collecting what it leaves
                                    // behind.
                                    Command command =
                                            Command.of(promtool, "test", "rules", file)
                                                    .with("GOGC", "800");
                                    Future<Command.Result> result =
                                            processors.submit(() -> command.run(BOUND));
                                    return DynamicTest.dynamicTest(
                                            file.getFileName().toString(),
                                            () ->
                                                    assertThat(result.get().exitCode())
                                                            .as(result.get().output())
                                                            .isZero());
                                })
                        .toList();
        return tests.stream();
    }
}
