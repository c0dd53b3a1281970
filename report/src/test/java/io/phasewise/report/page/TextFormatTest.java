/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.stats.Estimate;
import io.phasewise.report.stats.Share;
import io.phasewise.report.stats.Trend;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers as people read them. */
class TextFormatTest {

    @Test
    void latenciesHaveThreeDigitsThatCount() {
        assertThat(TextFormat.latency(0.0000123)).isEqualTo("0.0123 ms");
        assertThat(TextFormat.latency(0.0000000004)).isEqualTo("<0.001 ms");
        assertThat(TextFormat.latency(0)).isEqualTo("0 ms");
        assertThat(TextFormat.latency(0.0123456)).isEqualTo("12.3 ms");
        assertThat(TextFormat.latency(1.23456)).isEqualTo("1,235 ms");
        assertThat(TextFormat.latency(12.3456)).isEqualTo("12.3 s");
        assertThat(TextFormat.latency(Double.POSITIVE_INFINITY)).isEqualTo("never (lost)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0.0123   | 0.0120 | 0.0127   | 12.3 ms [12.0, 12.7]",
                "9.9      | 9.5    | 12       | 9,900 ms [9,500 ms, 12.0 s]",
                "1e-9     | 1e-10  | 1e-8     | <0.001 ms [<0.001, <0.001]",
                "0.1      | 0.09   | Infinity | 100 ms [90.0, lost]",
                "0.1      | NaN    | NaN      | 100 ms [unknown]",
                "Infinity | NaN    | NaN      | never (lost)",
                "NaN      | NaN    | NaN      | no probes"
            })
    void anIntervalNamesItsUnitOnceAndAValueIsShownWithoutOne(double value, double low, double high, String text) {
        double probes = Double.isNaN(low) ? 100 : 1e6;

        assertThat(TextFormat.latency(new Estimate(0.99, value, low, high, probes, 368)))
                .isEqualTo(text);
    }

    @Test
    void aShareNearlyWholeIsNotRoundedToTheWhole() {
        assertThat(TextFormat.percent(0.99996)).isEqualTo("99.9960 %");
        assertThat(TextFormat.percent(0.0004)).isEqualTo("0.040 %");
        assertThat(TextFormat.percent(0.423)).isEqualTo("42.3 %");
        assertThat(TextFormat.percent(1)).isEqualTo("100 %");
        assertThat(TextFormat.percent(new Share(0.995, 0.994, 0.996))).isEqualTo("99.50 % [99.40, 99.60 %]");
    }

    @Test
    void aChangeHasASignUnlessItIsNone() {
        assertThat(TextFormat.signed(0.5)).isEqualTo("+50 %");
        assertThat(TextFormat.signed(-0.012)).isEqualTo("-1.2 %");
        assertThat(TextFormat.signed(-0.0004)).isEqualTo("0.0 %");
    }

    @Test
    void growthIsOfThirtyDays() {
        assertThat(TextFormat.month(new Trend(1.001, 0.999, 1.003, 30))).isEqualTo("+3.0 % in 30 days [-3.0, +9.4 %]");
        assertThat(TextFormat.month(new Trend(1.2, 0.9, 1.6, 8)))
                .isEqualTo("too uncertain to say (8 days that differ widely)");
        assertThat(TextFormat.month(new Trend(Double.NaN, Double.NaN, Double.NaN, 3)))
                .isEqualTo("unknown (3 whole days; 2 whole weeks are needed)");
    }

    @Test
    void bytesAreInPowersOfAThousandUpToTerabytes() {
        assertThat(TextFormat.bytes(999)).isEqualTo("999 B");
        assertThat(TextFormat.bytes(1_500)).isEqualTo("1.50 kB");
        assertThat(TextFormat.bytes(2.5e15)).isEqualTo("2,500 TB");
    }

    @Test
    void whatIsNotKnownIsSaidToBe() {
        assertThat(TextFormat.latency(Double.NaN)).isEqualTo("unknown");
        assertThat(TextFormat.percent(Double.NaN)).isEqualTo("unknown");
        assertThat(TextFormat.count(Double.NaN)).isEqualTo("unknown");
        assertThat(TextFormat.count(12_345)).isEqualTo("12,345");
    }

    @Test
    void durationsAndLevels() {
        assertThat(TextFormat.duration(Duration.ofMinutes(135))).isEqualTo("2 h 15 min");
        assertThat(TextFormat.duration(Duration.ofHours(50))).isEqualTo("2 days 2 h");
        assertThat(TextFormat.level(0.9999)).isEqualTo("p99.99");
        assertThat(TextFormat.level(0.5)).isEqualTo("p50");
    }
}
