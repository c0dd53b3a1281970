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
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Writes the registry in the format that a scrape asks for. */
final class MetricsPage implements RequestHandler {
    private static final int BUFFER = 1 << 16;

    private final PrometheusRegistry registry;
    private final ExpositionFormats formats = ExpositionFormats.init();

    MetricsPage(PrometheusRegistry registry) {
        this.registry = registry;
    }

    @Override
    public Answer answer(Request request) throws IOException {
        String accept = request.header("Accept").orElse(null);
        ExpositionFormatWriter writer = formats.findWriter(accept);
        ByteArrayOutputStream body = new ByteArrayOutputStream(BUFFER);
        writer.write(body, registry.scrape(), EscapingScheme.fromAcceptHeader(accept));
        return Answer.large(200, writer.getContentType(), body);
    }
}
