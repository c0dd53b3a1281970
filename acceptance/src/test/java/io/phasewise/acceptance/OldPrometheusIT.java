/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.lab.server.ServerKind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The stack in classic mode, with a Prometheus that has no native histograms. Where that comes from
 * is left to {@link OldPrometheus}.
 */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock("stack")
class OldPrometheusIT {
    private final Path root = Path.of(System.getProperty("phasewise.root"));
    private RunningStack stack;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        Path old = OldPrometheus.getOrSkip(root, directory);
        stack =
                RunningStack.start(
                        Launcher.onFreePorts(directory.resolve("state"), only(old, directory))
                                .shortLived());
    }

    /** The old one on PATH, and a cache without a newer one, which would be preferred. */
    private Map<String, String> only(Path old, Path directory)
            throws IOException, InterruptedException {
        Path cache = Files.createDirectories(directory.resolve("cache/phasewise/servers"));
        for (ServerKind kind : List.of(ServerKind.ALERTMANAGER, ServerKind.NODE_EXPORTER)) {
            Path home = Servers.get(root, kind).server().getParent();
            Files.createSymbolicLink(cache.resolve(home.getFileName()), home);
        }
        return Map.of(
                "PATH",
                old + File.pathSeparator + System.getenv("PATH"),
                "XDG_CACHE_HOME",
                directory.resolve("cache").toString());
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
    void upStartsEverythingAndSaysThatItIsTheClassicMode() {
        stack.assertEveryComponentIsHealthy();
        assertThat(stack.upOutput()).contains("Classic mode: prometheus is ");
    }

    @Test
    void everyTargetIsUpAndEveryLeaderIsProbed() {
        stack.assertEveryTargetIsUpAndEveryLeaderIsProbed();
    }

    @Test
    void recordedPercentilesArePlausibleAndOrdered() {
        stack.assertRecordedPercentilesArePlausibleAndOrdered();
    }

    @Test
    void everyPanelOfEveryDashboardShowsSomethingBelievable(@TempDir Path directory)
            throws Exception {
        stack.assertEveryPanelShowsSomethingBelievable(directory);
    }

    @Test
    void everyRuleIsEvaluatedWithoutAnError() throws IOException {
        stack.assertEveryRuleIsEvaluatedWithoutAnError();
    }

    @Test
    void seriesStayWithinTheBudget() {
        stack.assertSeriesStayWithinTheBudget(true);
    }

    @Test
    void whenEveryProbeIsBadThePageArrivesWithItsTextAndItsRunbook() throws Exception {
        stack.assertThePageArrivesWhenEveryProbeIsBad();
    }
}
