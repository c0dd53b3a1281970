/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MedianIntervalTest {
    private static List<Double> upTo(int n) {
        return IntStream.rangeClosed(1, n).mapToObj(i -> (double) i).toList();
    }

    @Test
    void sixValuesSpanItWithTheKnownProbability() {
        MedianInterval interval = MedianInterval.of(upTo(6));
        assertThat(interval.median()).isEqualTo(3.5);
        assertThat(interval.low()).isEqualTo(1);
        assertThat(interval.high()).isEqualTo(6);
        assertThat(interval.coverage()).isCloseTo(1 - 2.0 / 64, within(1e-12));
    }

    @Test
    void ofTwelveTheOuterTwoOnEachSideAreLeftOut() {
        MedianInterval interval = MedianInterval.of(upTo(12));
        // 1 - 2 (1 + 12 + 66) / 4096
        assertThat(interval.coverage()).isCloseTo(0.96142578125, within(1e-9));
        assertThat(interval.low()).isEqualTo(3);
        assertThat(interval.high()).isEqualTo(10);
    }

    @Test
    void oneValueSaysNothingOfTheMedian() {
        MedianInterval interval = MedianInterval.of(List.of(2.0));
        assertThat(interval.low()).isEqualTo(2);
        assertThat(interval.high()).isEqualTo(2);
        assertThat(interval.coverage()).isZero();
    }
}
