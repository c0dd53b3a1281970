/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HistogramTest {
    private static final String EARLIER =
            """
            acks_seconds_bucket{leader="1",le="0.001"} 1
            acks_seconds_bucket{leader="1",le="0.002"} 1
            acks_seconds_bucket{leader="1",le="+Inf"} 1
            """;
    private static final String LATER =
            """
            acks_seconds_bucket{leader="1",le="0.001"} 11
            acks_seconds_bucket{leader="1",le="0.002"} 21
            acks_seconds_bucket{leader="1",le="+Inf"} 31
            acks_seconds_count{leader="1"} 31
            acks_seconds_bucket{leader="2",le="0.001"} 0
            acks_seconds_bucket{leader="2",le="0.002"} 10
            acks_seconds_bucket{leader="2",le="+Inf"} 10
            other_seconds_bucket{leader="2",le="+Inf"} 7
            """;

    private final Histogram earlier = of(EARLIER);

    private static Histogram of(String page) {
        return Histogram.of(Scrape.of(page), "acks_seconds");
    }

    @Test
    void percentilesAreReadWithinABucketOfWhatWasObservedSince() {
        Histogram since = of(LATER).since(earlier);

        assertThat(since.count()).isEqualTo(40);
        assertThat(since.quantile(0.5)).isCloseTo(0.0015, within(1e-9));
        assertThat(since.quantile(0.25)).isCloseTo(0.001, within(1e-9));
        assertThat(since.quantile(0.99)).as("beyond the last bound").isEqualTo(0.002);
    }

    @Test
    void ofNothingThereIsNoPercentile() {
        assertThat(of("").quantile(0.5)).isNaN();
        assertThat(earlier.since(earlier).quantile(0.5)).isNaN();
    }
}
