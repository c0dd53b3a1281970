/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.canary.status.ClusterStatus;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentWindowTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1000 * MS;

    private final AtomicLong clock = new AtomicLong(-3 * SECOND);
    private final RecentWindow window = new RecentWindow(clock::get);

    @Test
    void withoutProbesThereIsNoPercentile() {
        ClusterStatus.Window summary = window.summary();

        assertThat(summary.count()).isZero();
        assertThat(summary.p50Seconds()).isNaN();
        assertThat(summary.p99Seconds()).isNaN();
    }

    @Test
    void percentilesAreExactToOnePerCent() {
        for (int i = 1; i <= 1000; i++) {
            window.record(i * MS);
        }

        assertThat(window.summary().count()).isEqualTo(1000);
        assertThat(window.summary().p50Seconds()).isCloseTo(0.5, within(0.005));
        assertThat(window.summary().p99Seconds()).isCloseTo(0.99, within(0.01));
    }

    @Test
    void whatIsOlderThanAMinuteIsForgotten() {
        window.record(5 * MS);
        clock.addAndGet(54 * SECOND);
        window.record(7 * MS);
        assertThat(window.summary().count()).isEqualTo(2);

        clock.addAndGet(7 * SECOND);

        assertThat(window.summary().count()).isEqualTo(1);
        assertThat(window.summary().p50Seconds()).isCloseTo(0.007, within(0.0001));
    }

    @Test
    void aLongSilenceForgetsEverythingAndItFillsAgain() {
        window.record(5 * MS);
        clock.addAndGet(3600 * SECOND);
        assertThat(window.summary().count()).isZero();

        window.record(9 * MS);

        assertThat(window.summary().count()).isEqualTo(1);
    }

    @Test
    void anHourLongLatencyStillFits() {
        window.record(3600 * SECOND);

        assertThat(window.summary().p99Seconds()).isCloseTo(3600, within(36.0));
    }
}
