/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.pause;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.experiments.fault.ActiveFault;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StallLogTest {
    private static final Instant T = Instant.parse("2026-11-22T12:00:00Z");

    private final StallLog log = new StallLog();

    @Test
    void aProbeThatIsDueInAStallWaitsForItsEnd() {
        log.add(T, T.plusMillis(600));
        log.add(T.plusMillis(2_000), T.plusMillis(2_700));

        assertThat(log.leftMillis(T)).isEqualTo(600);
        assertThat(log.leftMillis(T.plusMillis(450))).isEqualTo(150);
        assertThat(log.leftMillis(T.plusMillis(2_100))).as("as long as it was").isEqualTo(600);
    }

    @Test
    void betweenTwoStallsNothingIsAdded() {
        log.add(T, T.plusMillis(600));

        assertThat(log.leftMillis(T.minusMillis(1))).isZero();
        assertThat(log.leftMillis(T.plusMillis(601))).isZero();
    }

    @Test
    void aFaultReportsTheDelayThatItsStallsAdd() throws Exception {
        log.add(T, T.plusMillis(600));

        try (ActiveFault broken = ((ActiveFault) () -> {}).adding(log::leftMillis)) {
            assertThat(broken.addedMillis(T.plusMillis(100))).isEqualTo(500);
        }
    }
}
