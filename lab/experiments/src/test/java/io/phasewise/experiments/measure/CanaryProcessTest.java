/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CanaryProcessTest {
    @Test
    void aMinuteWithManyMoreProbesThanTheMeanStillFitsIntoTheLog() {
        double aMinute = CanaryProcess.mostPerSecond() * 60;

        assertThat(aMinute + 5 * Math.sqrt(aMinute)).isCloseTo(60_000, within(1e-6));
        assertThat(CanaryProcess.mostPerSecond() / 3).as("three brokers").isBetween(326.0, 327.0);
    }
}
