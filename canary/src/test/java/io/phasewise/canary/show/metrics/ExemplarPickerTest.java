/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExemplarPickerTest {
    private static final long MS = 1_000_000;

    private final ExemplarPicker picker = new ExemplarPicker(Duration.ofMillis(50));

    @Test
    void aSlowProbeIsPickedSoonAfterAnother() {
        assertThat(picker.picks(MS, 0)).as("the first").isTrue();

        assertThat(picker.picks(51 * MS, 99 * MS)).isFalse();
        assertThat(picker.picks(51 * MS, 100 * MS)).isTrue();
    }

    @Test
    void ofTenThousandASecondFewArePicked() {
        int ordinary = 0;
        int slow = 0;
        for (long now = 0; now < 60_000 * MS; now += MS / 10) {
            ordinary += picker.picks(50 * MS, now) ? 1 : 0;
        }
        for (long now = 60_000 * MS; now < 120_000 * MS; now += MS / 10) {
            slow += picker.picks(50 * MS + 1, now) ? 1 : 0;
        }

        assertThat(ordinary).isEqualTo(12);
        assertThat(slow).isEqualTo(600);
    }
}
