/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.review;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.report.review.Load.Balance;
import io.phasewise.report.review.Load.End;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** When headroom ends, and which brokers stick out. */
class LoadAnalysisTest {

    private static final Instant AT = Instant.parse("2026-11-01T00:00:00Z");

    @Test
    void headroomEndsWhenGrowthHasUsedItUp() {
        SortedMap<Long, Double> days = new TreeMap<>();
        for (long day = 0; day < 30; day++) {
            days.put(day, 1e6 * Math.pow(1.01, day) * (1 + 0.001 * (day % 3)));
        }
        End end = LoadAnalysis.end(2, days);
        assertThat(end.exponential()).isCloseTo(Math.log(2) / Math.log(1.01), within(1.0));
        assertThat(end.earliest()).isLessThan(end.exponential());
        assertThat(end.latest()).isGreaterThan(end.exponential());
        assertThat(end.linear()).isGreaterThan(end.exponential());
    }

    @Test
    void withoutGrowthItNeverEnds() {
        SortedMap<Long, Double> days = new TreeMap<>();
        for (long day = 0; day < 10; day++) {
            days.put(day, 1e6 * Math.pow(0.99, day));
        }
        assertThat(LoadAnalysis.end(2, days).exponential()).isInfinite();
        assertThat(LoadAnalysis.end(2, days).linear()).isInfinite();
        assertThat(LoadAnalysis.end(2, new TreeMap<>()).exponential()).isNaN();
        assertThat(LoadAnalysis.end(Double.NaN, days).exponential()).isNaN();
    }

    @Test
    void headroomThatIsGoneEndsToday() {
        SortedMap<Long, Double> days = new TreeMap<>();
        for (long day = 0; day < 10; day++) {
            days.put(day, 1e6 * Math.pow(1.01, day));
        }
        assertThat(LoadAnalysis.end(0.8, days).exponential()).isZero();
        assertThat(LoadAnalysis.end(0.8, days).linear()).isZero();
    }

    @Test
    void aBrokerWithFarMoreThanTheOthersIsAnOutlier() {
        Balance balance =
                LoadAnalysis.balance("x", false, brokers(100, 101, 99, 100, 180)).orElseThrow();
        assertThat(balance.outliers()).containsExactly("5");
        assertThat(balance.spread().mostByMean()).isCloseTo(180 / 116.0, within(1e-9));
        assertThat(
                        LoadAnalysis.balance("x", false, brokers(100, 101, 99, 100))
                                .orElseThrow()
                                .outliers())
                .isEmpty();
        assertThat(LoadAnalysis.balance("x", false, brokers())).isEmpty();
    }

    private static SortedMap<String, SortedMap<Instant, Double>> brokers(double... values) {
        SortedMap<String, SortedMap<Instant, Double>> all = new TreeMap<>();
        for (int i = 0; i < values.length; i++) {
            SortedMap<Instant, Double> one = new TreeMap<>();
            one.put(AT, values[i]);
            all.put(Integer.toString(i + 1), one);
        }
        return all;
    }
}
