/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against printed tables. */
class ReachTest {

    @ParameterizedTest
    @CsvSource({"1, 0.95, 12.706", "5, 0.95, 2.571", "5, 0.99, 4.032", "23, 0.95, 2.069"})
    void theFewerDegreesOfFreedomTheFurther(int freedom, double confidence, double errors) {
        assertThat(Reach.student(freedom, confidence)).isCloseTo(errors, within(0.0005));
    }

    @Test
    void withAKnownErrorTheReachIsThatOfTheNormalDistribution() {
        assertThat(Reach.normal(0.95)).isCloseTo(1.960, within(0.0005));
        assertThat(Reach.normal(0.99)).isCloseTo(2.576, within(0.0005));
    }
}
