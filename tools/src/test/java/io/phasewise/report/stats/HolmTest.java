/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class HolmTest {

    private static final Offset<Double> EXACT = within(1e-12);

    /** The least times all four, the next times three, and none below one that is smaller. */
    @Test
    void theLeastChanceIsMultipliedMost() {
        List<Double> together = Holm.together(List.of(0.01, Double.NaN, 0.04, 0.03, 0.5));

        assertThat(together.get(0)).isCloseTo(0.04, EXACT);
        assertThat(together.get(1)).isNaN();
        assertThat(together.get(2)).isCloseTo(0.09, EXACT);
        assertThat(together.get(3)).isCloseTo(0.09, EXACT);
        assertThat(together.get(4)).isCloseTo(0.5, EXACT);
    }

    @Test
    void noAdjustedChanceIsAboveOne() {
        assertThat(Holm.together(List.of(0.9, 0.8))).containsExactly(1.0, 1.0);
        assertThat(Holm.together(List.of())).isEmpty();
    }
}
