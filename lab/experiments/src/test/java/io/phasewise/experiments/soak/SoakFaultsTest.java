/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.matrix.Matrix;
import io.phasewise.experiments.matrix.Row;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SoakFaultsTest {
    private static final String UNWATCHED = "no Prometheus watches a soak";
    private static final String OTHERS = "a soak has three brokers and the default probes";

    @Test
    void everyFaultIsMadeOrLeftOutForAReason() throws Exception {
        SoakFaults faults =
                SoakFaults.of(
                        Matrix.rows(),
                        fault ->
                                fault.needs().contains(Fault.Need.SLOW_DISK)
                                        ? Optional.of("not root")
                                        : Optional.empty());

        assertThat(faults.leftOut())
                .isEqualTo(
                        Map.ofEntries(
                                Map.entry("canary-restarts-in-outage", UNWATCHED),
                                Map.entry("prometheus-restarts", UNWATCHED),
                                Map.entry("alertmanager-restarts", UNWATCHED),
                                Map.entry("one-slow-of-five", OTHERS),
                                Map.entry("slow-controller", OTHERS),
                                Map.entry("large-records-narrow-path", OTHERS),
                                Map.entry("clock-steps", "no clock of a soak's brokers can be set"),
                                Map.entry(
                                        "permission-revoked",
                                        "a soak's brokers do not ask who may do what"),
                                Map.entry("disk-slow", "not root"),
                                Map.entry("disk-starved", "not root")));
        assertThat(faults.made())
                .hasSize(Matrix.rows().size() - faults.leftOut().size())
                .extracting(Row::name)
                .contains("packets-lost", "leader-killed");
    }
}
