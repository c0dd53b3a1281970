/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.web;

import io.phasewise.common.http.Answer;
import io.phasewise.common.http.Content;
import io.phasewise.common.http.Request;
import io.phasewise.common.http.RequestHandler;
import io.phasewise.common.http.SharedAnswers;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.util.List;

/** Writes the registry in the format that a scrape asks for. */
final class MetricsPage implements RequestHandler {
    private static final int AT_LEAST = 1 << 16;

    private final PrometheusRegistry registry;
    private final SharedAnswers answers;
    private final ExpositionFormats formats = ExpositionFormats.init();

    /** Of the last page, so that the next one need not be copied as it grows. */
    private volatile int length;

    /**
     * @param answers bounds what many requests at once may take
     */
    MetricsPage(PrometheusRegistry registry, SharedAnswers answers) {
        this.registry = registry;
        this.answers = answers;
    }

    @Override
    public Answer answer(Request request) throws Exception {
        String accept = request.header("Accept").orElse(null);
        ExpositionFormatWriter writer = formats.findWriter(accept);
        EscapingScheme escaping = EscapingScheme.fromAcceptHeader(accept);
        return answers.of(List.of(writer.getContentType(), escaping), () -> page(writer, escaping));
    }

    private Answer page(ExpositionFormatWriter writer, EscapingScheme escaping) throws IOException {
        Content body = new Content(Math.max(AT_LEAST, length + length / 8));
        writer.write(body, registry.scrape(), escaping);
        length = body.size();
        return Answer.large(200, writer.getContentType(), body);
    }
}
