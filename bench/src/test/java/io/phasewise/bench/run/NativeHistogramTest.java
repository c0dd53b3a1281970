/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusProtobufWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NativeHistogramTest {
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final Histogram histogram =
            Histogram.builder()
                    .name("latency_seconds")
                    .labelNames("leader")
                    .nativeInitialSchema(6)
                    .nativeMaxNumberOfBuckets(1_230)
                    .register(registry);

    private NativeHistogram scraped() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PrometheusProtobufWriter().write(out, registry.scrape());
        return Scrape.of(out.toByteArray()).histogram("latency_seconds");
    }

    @Test
    void quantilesAreWithinOnePerCentOfWhatWasObserved() throws IOException {
        for (int i = 1; i <= 10_000; i++) {
            histogram.labelValues("1").observe(i / 1e6);
        }
        NativeHistogram read = scraped();
        assertThat(read.count()).isEqualTo(10_000);
        assertThat(read.mean()).isCloseTo(5.0005e-3, within(1e-9));
        for (double share : new double[] {0.01, 0.5, 0.75, 0.99, 0.999}) {
            assertThat(read.quantile(share)).isCloseTo(share * 1e-2, within(share * 1.1e-4));
        }
    }

    @Test
    void seriesAddUpAndEarlierScrapesAreTakenAway() throws IOException {
        histogram.labelValues("1").observe(1e-3);
        histogram.labelValues("2").observe(4e-3);
        NativeHistogram before = scraped();
        histogram.labelValues("2").observe(16e-3);
        histogram.labelValues("2").observe(0);
        NativeHistogram since = scraped().minus(before);
        assertThat(since.count()).isEqualTo(2);
        assertThat(since.zero()).isEqualTo(1);
        assertThat(since.quantile(1)).isCloseTo(16e-3, within(2e-4));
    }

    @Test
    void ofDifferentFinenessTheCoarserOneHolds() {
        NativeHistogram fine = new NativeHistogram(3, Map.of(8, 1L, 7, 1L, 9, 1L), 0, 6);
        NativeHistogram coarse = new NativeHistogram(0, Map.of(1, 1L), 0, 2);
        // Schema 0 has a bucket for each power of two: 7 and 8 lie in (1, 2], 9 in (2, 4].
        assertThat(fine.plus(coarse).buckets()).isEqualTo(Map.of(1, 3L, 2, 1L));
    }

    @Test
    void anEmptyOneHasNoQuantile() {
        assertThat(NativeHistogram.empty().quantile(0.5)).isNaN();
    }
}
