/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import io.phasewise.common.http.Answer;
import io.phasewise.common.http.Request;
import io.phasewise.common.http.RequestHandler;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.MetricNameFilter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * Writes the registry in the format that a scrape asks for; only the metrics that it names with
 * {@code name[]}, where it names some.
 */
final class MetricsPage implements RequestHandler {
    private static final int BUFFER = 1 << 16;

    private final PrometheusRegistry registry;
    private final ExpositionFormats formats = ExpositionFormats.init();

    MetricsPage(PrometheusRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Answer answer(Request request) throws IOException {
        List<String> names = request.parameters("name[]");
        MetricSnapshots snapshots =
                names.isEmpty()
                        ? registry.scrape()
                        : registry.scrape(
                                MetricNameFilter.builder().nameMustBeEqualTo(names).build());
        String accept = request.header("Accept").orElse(null);
        ExpositionFormatWriter writer = formats.findWriter(accept);
        ByteArrayOutputStream body = new ByteArrayOutputStream(BUFFER);
        writer.write(body, snapshots, EscapingScheme.fromAcceptHeader(accept));
        return Answer.large(200, writer.getContentType(), body);
    }
}
