/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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
    private final Histogram histogram = Histogram.builder()
            .name("latency_seconds")
            .labelNames("leader")
            .nativeInitialSchema(6)
            .nativeMaxNumberOfBuckets(1_230)
            .register(registry);

    private NativeHistogram scraped() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PrometheusProtobufWriter().write(out, registry.scrape());
        return NativeHistogram.read(out.toByteArray(), "latency_seconds");
    }

    @Test
    void theMedianIsWithinOnePerCentOfWhatWasObserved() throws IOException {
        for (int i = 1; i <= 10_000; i++) {
            histogram.labelValues("1").observe(i / 1e6);
        }
        NativeHistogram read = scraped();
        assertThat(read.count()).isEqualTo(10_000);
        assertThat(read.median()).isCloseTo(5e-3, within(5.5e-5));
    }

    @Test
    void seriesAddUpAndEarlierScrapesAreTakenAway() throws IOException {
        histogram.labelValues("1").observe(1e-3);
        histogram.labelValues("2").observe(4e-3);
        NativeHistogram before = scraped();
        histogram.labelValues("2").observe(16e-3);
        NativeHistogram since = scraped().minus(before);
        assertThat(since.count()).isEqualTo(1);
        assertThat(since.median()).isCloseTo(16e-3, within(2e-4));
    }

    @Test
    void aHistogramOfAnotherSchemaIsRefused() throws IOException {
        Histogram.builder()
                .name("coarse_seconds")
                .nativeInitialSchema(3)
                .register(registry)
                .observe(1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new PrometheusProtobufWriter().write(out, registry.scrape());
        assertThatThrownBy(() -> NativeHistogram.read(out.toByteArray(), "coarse_seconds"))
                .hasMessage("a histogram of schema 3");
    }

    @Test
    void anEmptyOneHasNoMedian() {
        assertThat(new NativeHistogram(Map.of()).median()).isNaN();
    }
}
