/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The core of the fault matrix: rows that no other test has, against the canary's own jar as a
 * process, on one cluster that asks who may do what, watched by Prometheus and Alertmanager. Delays
 * and standstills of a known amount are held against what was found by the canary's own tests. All
 * rows are {@code ./phasewise lab matrix}'s.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultMatrixIT {
    /** These rows are judged by outcomes: what probes took before is not asked for. */
    private static final Duration PLAIN = Duration.ofSeconds(1);

    private Scene scene;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        scene =
                Scene.start(
                        Path.of(System.getProperty("phasewise.root")),
                        directory,
                        true,
                        Optional.empty(),
                        true);
    }

    @AfterAll
    void stop() {
        if (scene != null) {
            scene.close();
        }
    }

    /** With its alert: the rule wants a minute, scrape and evaluation some ten seconds. */
    @Test
    void aBrokerThatIsKilledIsReported() throws Exception {
        Row killed = row("leader-killed", true).lasting(Duration.ofSeconds(80));

        RowResult result = hold(killed);

        assertThat(result.alerts().keySet()).contains("BrokerDown (critical)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topic-deleted",
                "isr-shrinks",
                "consumers-throttled",
                "permission-revoked",
                "cluster-down"
            })
    void theFaultIsSeenForWhatItIsAndLeavesNothingBehind(String name) throws Exception {
        hold(row(name, false));
    }

    private static Row row(String name, boolean longEnoughForAlerts) {
        return Matrix.rows(longEnoughForAlerts).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private RowResult hold(Row row) throws Exception {
        // The machine that runs the tests may well starve the canary.
        RowResult result = new MatrixRunner(scene, PLAIN).run(row.permitting("CanaryStarved"));

        System.out.println(result);
        assertThat(result.faults()).isEmpty();
        assertThat(result.outcomes().get("delivered")).isPositive();
        assertThat(scene.canary().process().isAlive()).isTrue();
        return result;
    }
}
