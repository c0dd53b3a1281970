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
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The core of the fault matrix: rows that no other test has, against the canary's own jar as a
 * process, on one cluster. Delays and standstills of a known amount are held against what was found
 * by the canary's own tests. All rows, with alerts, are {@code ./phasewise lab matrix}'s.
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
                        false,
                        Optional.empty(),
                        false);
    }

    @AfterAll
    void stop() {
        if (scene != null) {
            scene.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"topic-deleted", "isr-shrinks", "cluster-down"})
    void theFaultIsSeenForWhatItIsAndLeavesNothingBehind(String name) throws Exception {
        Row row =
                Rows.all(false).stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();

        RowResult result = new MatrixRunner(scene, PLAIN).run(row);

        System.out.println(result);
        assertThat(result.faults()).isEmpty();
        assertThat(result.outcomes().get("delivered")).isPositive();
        assertThat(scene.canary().process().isAlive()).isTrue();
    }
}
