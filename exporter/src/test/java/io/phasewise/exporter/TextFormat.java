/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter;

import io.phasewise.lab.junit.ScrapedPage;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What Prometheus gets of metrics. */
public final class TextFormat {
    private TextFormat() {}

    /** The page. */
    public static String of(MetricSnapshots metrics) {
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        try {
            PrometheusTextFormatWriter.create().write(page, metrics);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page.toString(StandardCharsets.UTF_8);
    }

    /** The page as it is read. */
    public static ScrapedPage scrape(MetricSnapshots metrics) {
        return ScrapedPage.of(of(metrics));
    }
}
