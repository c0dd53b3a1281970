/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.matrix.Matrix;
import io.phasewise.experiments.matrix.Row;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SoakFaultsTest {
    @Test
    void everyFaultIsMadeOrLeftOutForAReason() throws Exception {
        SoakFaults faults =
                SoakFaults.of(
                        Matrix.rows(false),
                        needs ->
                                needs == Row.Needs.SLOW_DISK
                                        ? Optional.of("not root")
                                        : Optional.empty());

        assertThat(faults.leftOut())
                .isEqualTo(
                        Map.of(
                                "slow-while-starved", "no Prometheus watches a soak",
                                "canary-restarts-in-outage", "no Prometheus watches a soak",
                                "prometheus-restarts", "no Prometheus watches a soak",
                                "alertmanager-restarts", "no Prometheus watches a soak",
                                "clock-steps", "no clock of a soak's brokers can be set",
                                "permission-revoked", "a soak's brokers do not ask who may do what",
                                "disk-slow", "not root"));
        assertThat(faults.made())
                .hasSize(Matrix.rows(false).size() - faults.leftOut().size())
                .extracting(Row::name)
                .contains("packets-lost", "leader-killed");
    }
}
