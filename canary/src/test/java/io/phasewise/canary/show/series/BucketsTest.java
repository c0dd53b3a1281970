/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class BucketsTest {
    @Test
    void reachFromAHundredMicrosecondsToAMinuteTenADecade() {
        double[] bounds = Buckets.classic(List.of());

        assertThat(bounds).isSorted().startsWith(1e-4, 1.25e-4).endsWith(50, 60);
        assertThat(Arrays.stream(bounds).filter(b -> b >= 0.01 && b < 0.1)).hasSize(10);
        for (int i = 1; i < bounds.length; i++) {
            assertThat(bounds[i] / bounds[i - 1]).isBetween(1.15, 1.3);
        }
    }

    @Test
    void everySloTargetIsABoundary() {
        assertThat(Buckets.classic(List.of(0.05, 0.0123, 90.0))).contains(0.05, 0.0123, 90.0);
        assertThat(Buckets.classic(List.of(0.05)))
                .as("a target that is a boundary already is not there twice")
                .isEqualTo(Buckets.classic(List.of()));
    }

    @Test
    void boundariesPrintAsWritten() {
        assertThat(Arrays.stream(Buckets.classic(List.of())).mapToObj(String::valueOf))
                .contains("1.6E-4", "0.00315", "0.0063", "0.05")
                .noneMatch(s -> s.contains("0000000") || s.contains("9999999"));
    }
}
