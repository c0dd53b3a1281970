/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first minutes of a fresh stack, of which each is faster than the one before. */
class FirstLookTest {

    @Test
    void minutesThatHaveNothingInCommonLeaveAValueWithoutAnInterval() {
        List<Histogram> minutes = new ArrayList<>();
        for (int minute = 0; minute < 4; minute++) {
            double[] probes = new double[720];
            for (int i = 0; i < probes.length; i++) {
                probes[i] = 0.1 / (minute + 1) * (1 + 0.0001 * i);
            }
            minutes.add(Synthetic.counted(probes));
        }
        Estimate p50 = Percentiles.of(minutes).at(0.5, 0.95);
        assertThat(p50.enough()).isFalse();
        assertThat(p50.value()).isBetween(0.03, 0.06);
        Estimate ofOneMinute = Percentiles.of(minutes.subList(0, 1)).at(0.5, 0.95);
        assertThat(ofOneMinute.enough()).isFalse();
        assertThat(ofOneMinute.value()).isBetween(0.1, 0.11);
    }
}
