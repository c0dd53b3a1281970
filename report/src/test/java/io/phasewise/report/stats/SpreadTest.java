/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** How evenly something lies on brokers. */
class SpreadTest {

    @Test
    void theLargestIsComparedWithTheMean() {
        assertThat(Spread.of(3, 3, 3, 3).mostByMean()).isCloseTo(1, within(1e-12));
        assertThat(Spread.of(0, 0, 0, 8).mostByMean()).isCloseTo(4, within(1e-12));
        assertThat(Spread.of(1, 2, 3).mostByMean()).isCloseTo(1.5, within(1e-12));
    }

    @Test
    void nothingHasNoSpread() {
        assertThat(Spread.of().mostByMean()).isNaN();
        assertThat(Spread.of(0, 0).mostByMean()).isNaN();
    }
}
