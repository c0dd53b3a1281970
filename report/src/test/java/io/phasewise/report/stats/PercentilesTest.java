/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Intervals hold the truth as often as they say, also where probes of one hour are alike. */
class PercentilesTest {

    @Test
    void intervalsOfHoursThatResembleTheirNeighboursHoldTheTruthAsOften() {
        CoverageOfIntervals.assertHolds(seed -> new Synthetic(seed, 0.003, 0.5, 0.2, 0.5, 0));
    }

    @Test
    void probesThatAreAlikeCountForFewer() {
        List<Histogram> independent =
                Synthetic.histograms(new Synthetic(1, 0.003, 0.5, 0, 0, 0).hours(200, 200));
        List<Histogram> alike =
                Synthetic.histograms(new Synthetic(1, 0.003, 0.5, 0.5, 0, 0).hours(200, 200));
        assertThat(Percentiles.of(independent).effective(0.5, 0.95)).isBetween(20_000.0, 40_000.0);
        assertThat(Percentiles.of(alike).effective(0.5, 0.95)).isLessThan(2_000);
    }

    @Test
    void whatDiffersFromHourToHourOfTheDayIsNoUncertaintyOnceItIsAStratum() {
        List<Histogram> blocks =
                Synthetic.histograms(new Synthetic(1, 0.003, 0.5, 0, 0, 0.5).hours(240, 100));
        int[] hourOfDay = new int[240];
        for (int i = 0; i < 240; i++) {
            hourOfDay[i] = i % 24;
        }
        Estimate plain = Percentiles.of(blocks).at(0.5, 0.95);
        Estimate stratified = Percentiles.of(blocks, hourOfDay).at(0.5, 0.95);
        assertThat(stratified.high() - stratified.low())
                .isLessThan(0.5 * (plain.high() - plain.low()));
    }

    @Test
    void tooFewProbesForAPercentileAreSaid() {
        List<Histogram> blocks =
                Synthetic.histograms(new Synthetic(1, 0.003, 0.5, 0, 0, 0).hours(100, 100));
        Percentiles percentiles = Percentiles.of(blocks);
        assertThat(percentiles.at(0.99, 0.95).enough()).isTrue();
        Estimate rare = percentiles.at(0.9999, 0.95);
        assertThat(rare.enough()).isFalse();
        assertThat(rare.needed()).isBetween(36_880.0, 36_890.0);
        assertThat(rare.effective()).isLessThan(10_001);
    }

    @Test
    void lostProbesAreSlowerThanAnyOther() {
        List<Histogram> blocks = new ArrayList<>();
        for (Histogram each :
                Synthetic.histograms(new Synthetic(1, 0.003, 0.5, 0, 0, 0).hours(100, 980))) {
            blocks.add(each.plusBeyond(20));
        }
        Percentiles percentiles = Percentiles.of(blocks);
        assertThat(percentiles.at(0.99, 0.95).value()).isInfinite();
        assertThat(percentiles.at(0.5, 0.95).finite()).isTrue();
        assertThat(percentiles.at(0.5, 0.95).effective()).isGreaterThan(30_000);
    }

    @Test
    void nothingGivesNothing() {
        Estimate none = Percentiles.of(List.of(Histogram.EMPTY, Histogram.EMPTY)).at(0.5, 0.95);
        assertThat(none.enough()).isFalse();
        assertThat(none.value()).isNaN();
    }
}
