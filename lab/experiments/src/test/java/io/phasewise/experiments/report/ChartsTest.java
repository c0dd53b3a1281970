/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartsTest {
    @ParameterizedTest
    @CsvSource({"71.2, 80", "8.1, 10", "1, 1", "0.34, 0.4", "100.5, 200"})
    void anAxisEndsAtARoundNumberThatHoldsAll(double most, double end) {
        assertThat(Charts.round(most)).isCloseTo(end, within(1e-9));
    }
}
