/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.report.query.Window;
import io.phasewise.report.stats.Histogram;
import io.phasewise.report.stats.Histogram.Bucket;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which probes of two windows are compared. */
class ComparisonAnalysisTest {

    private static final Instant START = Instant.parse("2026-11-02T00:00:00Z");
    private static final int HOURS = 4 * 24;

    @Test
    void hoursThatAGapTookFromOneWindowAreNoChange() {
        IntPredicate morningsOfTwoDays = hour -> hour < 48 && hour % 24 >= 8 && hour % 24 < 12;
        Comparison comparison = compared(morningsOfTwoDays, 1);
        assertThat(comparison.clear()).isEmpty();
        assertThat(comparison.alike())
                .as("Monday to Thursday, Friday to Monday")
                .isFalse();
    }

    @Test
    void whatGrewByHalfIsAChange() {
        Comparison comparison = compared(hour -> false, 1.5);
        assertThat(comparison.clear()).extracting("title").containsExactly("end to end");
        assertThat(comparison.whole().low()).isGreaterThan(1.4);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 7, true",
        "1, 1, 14, true",
        "1, 1, 2, false",
        "4, 3, 7, false",
        "7, 7, 9, true",
        "14, 7, 14, true",
        "7, 10, 7, false",
        "10, 7, 14, false"
    })
    void windowsWithTheSameHoursOfTheWeekAreAlike(int days, int othersDays, int daysApart, boolean alike) {
        WindowData one = measured(START, 24 * days, hour -> false, 1);
        WindowData other = measured(START.plus(Duration.ofDays(daysApart)), 24 * othersDays, hour -> false, 1);
        assertThat(new ComparisonAnalysis(one, other, ZoneOffset.UTC)
                        .comparison()
                        .alike())
                .isEqualTo(alike);
    }

    /** Of windows of four days whose hours from eight to noon are ten times as slow. */
    private static Comparison compared(IntPredicate missing, double factor) {
        Instant second = START.plus(Duration.ofHours(HOURS));
        return new ComparisonAnalysis(
                        measured(START, HOURS, missing, 1),
                        measured(second, HOURS, hour -> false, factor),
                        ZoneOffset.UTC)
                .comparison();
    }

    private static WindowData measured(Instant start, int hours, IntPredicate missing, double factor) {
        return SampleWindow.measured(
                Window.fine(start, start.plus(Duration.ofHours(hours))),
                hour -> {
                    boolean slow = hour % 24 >= 8 && hour % 24 < 12;
                    double least = factor * (slow ? 0.1 : 0.01) * (1 + 0.01 * (hour % 7));
                    Bucket bucket = new Bucket(least, 1.2 * least, 1000);
                    return missing.test(hour) ? Histogram.EMPTY : Histogram.of(List.of(bucket), 1000 * least);
                },
                hour -> missing.test(hour) ? null : new Counts(1000, 0, 0, 0, 0));
    }
}
