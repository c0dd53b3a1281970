/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** A mean's interval holds the truth as often as it says, also where neighbours are alike. */
class MeanTest {

    private static final int RUNS = 200;

    @Test
    void theIntervalHoldsTheTruth() {
        int held = 0;
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(run);
            double[] values = new double[240];
            double state = random.nextGaussian();
            for (int i = 0; i < values.length; i++) {
                values[i] = 1 + state;
                state = 0.5 * state + Math.sqrt(0.75) * random.nextGaussian();
            }
            held += Mean.of(values, 0.95).holds(1) ? 1 : 0;
        }
        assertThat(held / (double) RUNS).isBetween(0.92, 0.98);
    }

    @Test
    void unknownValuesAreLeftOut() {
        Mean mean = Mean.of(new double[] {1, Double.NaN, 2, Double.POSITIVE_INFINITY, 3, 2}, 0.95);
        assertThat(mean.value()).isCloseTo(2, within(1e-12));
        assertThat(mean.holds(2)).isTrue();
        assertThat(Mean.of(new double[] {1}, 0.95).holds(1)).isFalse();
        assertThat(Mean.of(new double[0], 0.95).value()).isNaN();
    }
}
