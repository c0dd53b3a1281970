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
    void aUnitStaysOnTheLineOfItsNumber() {
        assertThat(TextFormat.latency(0.0123)).isEqualTo("12.3\u00a0ms");
        assertThat(TextFormat.percent(0.423)).isEqualTo("42.3\u00a0%");
        assertThat(TextFormat.signed(0.5)).isEqualTo("+50\u00a0%");
        assertThat(TextFormat.bytes(1_500)).isEqualTo("1.50\u00a0kB");
        assertThat(TextFormat.duration(Duration.ofMinutes(135))).isEqualTo("2\u00a0h 15\u00a0min");
    }

    @Test
    void whatSomebodyChoseHasNoZerosThatTellNothing() {
        assertThat(plain(TextFormat.chosenLatency(0.05))).isEqualTo("50 ms");
        assertThat(plain(TextFormat.chosenLatency(2))).isEqualTo("2,000 ms");
        assertThat(plain(TextFormat.chosenLatency(12.5))).isEqualTo("12.5 s");
        assertThat(plain(TextFormat.chosenPercent(0.99))).isEqualTo("99 %");
        assertThat(plain(TextFormat.chosenPercent(0.9995))).isEqualTo("99.95 %");
        assertThat(plain(TextFormat.chosenPercent(Double.NaN))).isEqualTo("unknown");
    }

    @Test
    void latenciesHaveThreeDigitsThatCount() {
        assertThat(plain(TextFormat.latency(0.0000123))).isEqualTo("0.0123 ms");
        assertThat(plain(TextFormat.latency(0.0000000004))).isEqualTo("<0.001 ms");
        assertThat(plain(TextFormat.latency(0))).isEqualTo("0 ms");
        assertThat(plain(TextFormat.latency(0.0123456))).isEqualTo("12.3 ms");
        assertThat(plain(TextFormat.latency(1.23456))).isEqualTo("1,235 ms");
        assertThat(plain(TextFormat.latency(12.3456))).isEqualTo("12.3 s");
        assertThat(plain(TextFormat.latency(Double.POSITIVE_INFINITY))).isEqualTo("never (lost)");
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

        assertThat(plain(TextFormat.estimate(new Estimate(0.99, value, low, high, probes, 368))))
                .isEqualTo(text);
    }

    @Test
    void aShareNearlyWholeIsNotRoundedToTheWhole() {
        assertThat(plain(TextFormat.percent(0.99996))).isEqualTo("99.9960 %");
        assertThat(plain(TextFormat.percent(0.0004))).isEqualTo("0.040 %");
        assertThat(plain(TextFormat.percent(0.423))).isEqualTo("42.3 %");
        assertThat(plain(TextFormat.percent(1))).isEqualTo("100 %");
        assertThat(plain(TextFormat.percent(new Share(0.995, 0.994, 0.996)))).isEqualTo("99.50 % [99.40, 99.60 %]");
    }

    @Test
    void aChangeHasASignUnlessItIsNone() {
        assertThat(plain(TextFormat.signed(0.5))).isEqualTo("+50 %");
        assertThat(plain(TextFormat.signed(-0.012))).isEqualTo("-1.2 %");
        assertThat(plain(TextFormat.signed(-0.0004))).isEqualTo("0.0 %");
    }

    @Test
    void growthIsOfThirtyDays() {
        assertThat(plain(TextFormat.month(new Trend(1.001, 0.999, 1.003, 30))))
                .isEqualTo("+3.0 % in 30 days [-3.0, +9.4 %]");
        assertThat(plain(TextFormat.month(new Trend(1.2, 0.9, 1.6, 8))))
                .isEqualTo("too uncertain to say (8 days that differ widely)");
        assertThat(plain(TextFormat.month(new Trend(Double.NaN, Double.NaN, Double.NaN, 3))))
                .isEqualTo("unknown (3 whole days; 2 whole weeks are needed)");
    }

    @Test
    void bytesAreInPowersOfAThousandUpToTerabytes() {
        assertThat(plain(TextFormat.bytes(999))).isEqualTo("999 B");
        assertThat(plain(TextFormat.bytes(1_500))).isEqualTo("1.50 kB");
        assertThat(plain(TextFormat.bytes(2.5e15))).isEqualTo("2,500 TB");
    }

    @Test
    void whatIsNotKnownIsSaidToBe() {
        assertThat(plain(TextFormat.latency(Double.NaN))).isEqualTo("unknown");
        assertThat(plain(TextFormat.percent(Double.NaN))).isEqualTo("unknown");
        assertThat(plain(TextFormat.count(Double.NaN))).isEqualTo("unknown");
        assertThat(plain(TextFormat.count(12_345))).isEqualTo("12,345");
    }

    @Test
    void durationsAndLevels() {
        assertThat(plain(TextFormat.duration(Duration.ofMinutes(135)))).isEqualTo("2 h 15 min");
        assertThat(plain(TextFormat.duration(Duration.ofHours(50)))).isEqualTo("2 days 2 h");
        assertThat(plain(TextFormat.level(0.9999))).isEqualTo("p99.99");
        assertThat(plain(TextFormat.level(0.5))).isEqualTo("p50");
    }

    /** As text without markup has it. */
    private static String plain(Object text) {
        return text.toString().replace('\u00a0', ' ');
    }
}
