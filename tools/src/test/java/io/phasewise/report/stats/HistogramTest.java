/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.phasewise.report.stats.Histogram.Bucket;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** What is read from a histogram is what was put into it, as far as its buckets tell. */
class HistogramTest {

    private static final Offset<Double> EXACTLY = within(1e-12);

    @Test
    void shareAndPercentileAreInverse() {
        Histogram histogram = Histogram.of(List.of(new Bucket(0, 1, 10), new Bucket(1, 2, 0), new Bucket(2, 4, 30)), 0);
        for (double p : new double[] {0.1, 0.25, 0.3, 0.7, 1}) {
            assertThat(histogram.atMost(histogram.quantile(p))).isCloseTo(40 * p, EXACTLY);
        }
        assertThat(histogram.quantile(0.1)).isCloseTo(0.4, EXACTLY);
        assertThat(histogram.quantile(0.625)).isCloseTo(Math.sqrt(8), EXACTLY);
    }

    @Test
    void coarserAndFinerBucketsAddUp() {
        Histogram fine = Histogram.of(List.of(new Bucket(1, 2, 4), new Bucket(2, 4, 6)), 0);
        Histogram coarse = Histogram.of(List.of(new Bucket(1, 4, 10)), 0);
        Histogram both = Histogram.sum(List.of(fine, coarse, coarse));
        assertThat(both.count()).isCloseTo(30, EXACTLY);
        assertThat(both.atMost(2)).isCloseTo(4 + 10, EXACTLY);
    }

    @Test
    void theLastBucketHasNoEnd() {
        Histogram histogram = Histogram.of(List.of(new Bucket(0, 1, 9), new Bucket(1, Double.POSITIVE_INFINITY, 1)), 0);
        assertThat(histogram.count()).isEqualTo(10);
        assertThat(histogram.measured()).isEqualTo(9);
        assertThat(histogram.quantile(0.9)).isCloseTo(1, EXACTLY);
        assertThat(histogram.quantile(0.91)).isInfinite();
    }

    @Test
    void anEmptyOneHasNoPercentile() {
        assertThat(Histogram.EMPTY.quantile(0.5)).isNaN();
        assertThat(Histogram.EMPTY.count()).isZero();
        assertThat(Histogram.sum(List.of()).count()).isZero();
    }
}
