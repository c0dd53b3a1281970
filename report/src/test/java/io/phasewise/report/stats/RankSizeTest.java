/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How sizes fall with their rank. */
class RankSizeTest {

    private static final int RUNS = 200;

    @Test
    void zipfsLawHasTheExponentOne() {
        double[] sizes =
                IntStream.rangeClosed(1, 1000).mapToDouble(r -> 1000 / (r - 0.5)).toArray();
        RankSize fit = RankSize.of(sizes, 0.95);
        assertThat(fit.exponent()).isCloseTo(1, within(1e-9));
        assertThat(fit.error()).isCloseTo(Math.sqrt(2 / 1000.0), within(1e-9));
        assertThat(fit.at(1)).isCloseTo(2000, within(1e-6));
        assertThat(fit.sizes()).isEqualTo(1000);
    }

    @Test
    void theOrderOfTheSizesDoesNotMatterAndNothingIsNoSize() {
        double[] sizes = {3, 90, 45, 3, 3, 6, 30, 12, 9, 3, 5, 4};
        double[] more = Arrays.copyOf(sizes, 14);
        more[13] = Double.NaN;
        Arrays.sort(sizes);
        assertThat(RankSize.of(more, 0.95)).isEqualTo(RankSize.of(sizes, 0.95));
        assertThat(RankSize.of(more, 0.95).sizes()).isEqualTo(12);
    }

    @Test
    void theIntervalHoldsTheTruthOfFortyClustersInNinetyFiveOfAHundredCases() {
        double truth = 0.8;
        int held = 0;
        double mean = 0;
        for (int run = 0; run < RUNS; run++) {
            Random random = new Random(7000 + run);
            double[] sizes = new double[40];
            for (int i = 0; i < sizes.length; i++) {
                sizes[i] = 3 * Math.pow(1 - random.nextDouble(), -truth);
            }
            RankSize fit = RankSize.of(sizes, 0.95);
            held += fit.low() <= truth && truth <= fit.high() ? 1 : 0;
            mean += fit.exponent() / RUNS;
        }
        assertThat(held / (double) RUNS).isBetween(0.92, 0.98);
        assertThat(mean).isCloseTo(truth, within(0.05 * truth));
    }

    @Test
    void fewSizesAndSizesThatAreAlikeGiveNoFit() {
        assertThat(RankSize.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, 0.95).known()).isFalse();
        double[] alike = new double[40];
        Arrays.fill(alike, 3);
        alike[0] = 6;
        assertThat(RankSize.of(alike, 0.95).known()).isFalse();
        assertThat(RankSize.of(alike, 0.95).sizes()).isEqualTo(40);
        alike[1] = 12;
        assertThat(RankSize.of(alike, 0.95).known()).isTrue();
    }
}
