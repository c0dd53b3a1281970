/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Intervals hold the truth as often as they say, also where probes of one hour are alike. */
class PercentilesTest {

    private static final int RUNS = 200;
    private static final double Z99 = 2.3263478740408408;

    /** By simulation with fixed seeds. */
    @ParameterizedTest(name = "spread {0} within hours, {1} between them, which correlate by {2}")
    @CsvSource({"0.6, 0, 0", "0.5, 0.2, 0", "0.5, 0.2, 0.5"})
    void intervalsHoldTheTruthAsOftenAsTheySay(double spread, double hourSpread, double correlation) {
        int medians = 0;
        int tails = 0;
        for (int run = 0; run < RUNS; run++) {
            Synthetic synthetic = new Synthetic(1000 + run, 0.003, spread, hourSpread, correlation, 0);
            Percentiles percentiles = Percentiles.of(synthetic.hours(168, 100));
            medians += holds(percentiles.at(0.5, 0.95), synthetic.truth(0)) ? 1 : 0;
            tails += holds(percentiles.at(0.99, 0.95), synthetic.truth(Z99)) ? 1 : 0;
        }
        assertThat(medians / (double) RUNS).as("p50").isBetween(0.92, 0.98);
        assertThat(tails / (double) RUNS).as("p99").isBetween(0.92, 0.98);
    }

    private static boolean holds(Estimate estimate, double truth) {
        return estimate.low() <= truth && truth <= estimate.high();
    }

    @Test
    void probesThatAreAlikeCountForFewer() {
        Percentiles independent = Percentiles.of(Synthetic.independent(200, 200));
        Percentiles alike = Percentiles.of(new Synthetic(1, 0.003, 0.5, 0.5, 0, 0).hours(200, 200));
        assertThat(independent.effective(0.5, 0.95)).isBetween(20_000.0, 40_000.0);
        assertThat(alike.effective(0.5, 0.95)).isLessThan(2_000);
    }

    @Test
    void whatDiffersFromHourToHourOfTheDayIsNoUncertaintyOnceItIsAStratum() {
        List<Histogram> blocks = new Synthetic(1, 0.003, 0.5, 0, 0, 0.5).hours(240, 100);
        Estimate plain = Percentiles.of(blocks).at(0.5, 0.95);
        Estimate stratified =
                Percentiles.of(blocks, Synthetic.hoursOfTheDay(240)).at(0.5, 0.95);
        assertThat(stratified.high() - stratified.low()).isLessThan(0.5 * (plain.high() - plain.low()));
    }

    @Test
    void tooFewProbesForAPercentileAreSaid() {
        Percentiles percentiles = Percentiles.of(Synthetic.independent(100, 100));
        assertThat(percentiles.at(0.99, 0.95).enough()).isTrue();
        Estimate rare = percentiles.at(0.9999, 0.95);
        assertThat(rare.enough()).isFalse();
        assertThat(rare.needed()).isBetween(36_880.0, 36_890.0);
        assertThat(rare.effective()).isLessThan(10_001);
    }

    /** As those of a fresh stack, of which each minute is faster than the one before. */
    @ParameterizedTest
    @CsvSource({"4, 0.03, 0.06", "1, 0.1, 0.11"})
    void minutesThatHaveNothingInCommonLeaveAValueWithoutAnInterval(int minutes, double least, double most) {
        List<Histogram> each = IntStream.rangeClosed(1, minutes)
                .mapToObj(n -> DoubleStream.iterate(0.1 / n, x -> x + 1e-5 / n).limit(720))
                .map(probes -> Synthetic.counted(probes.toArray()))
                .toList();
        Estimate p50 = Percentiles.of(each).at(0.5, 0.95);
        assertThat(p50.enough()).isFalse();
        assertThat(p50.value()).isBetween(least, most);
    }
}
