/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.http;

import io.phasewise.common.http.Answer;
import io.phasewise.common.http.Content;
import io.phasewise.common.http.Request;
import io.phasewise.common.http.RequestHandler;
import io.phasewise.common.http.SharedAnswers;
import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers a scrape, in the format that it asks for, and measures what it costs. What fails is left
 * out, counted, and logged when it begins and when it ends.
 */
public final class ScrapeHandler implements RequestHandler {

    /** The header in which Prometheus says how long it waits. */
    private static final String TIMEOUT = "X-Prometheus-Scrape-Timeout-Seconds";

    private static final double USUAL_TIMEOUT_SECONDS = 10;

    /**
     * The least timeout that counts, even if a scraper says less: less would make healthy pages
     * incomplete.
     */
    private static final double LEAST_TIMEOUT_SECONDS = 1;

    /**
     * The longest timeout that counts, even if a scraper says more: other scrapers wait meanwhile.
     */
    private static final double MOST_TIMEOUT_SECONDS = 60;

    /** For how long a scraper that waits longer than others counts. */
    private static final long PATIENT_NANOS = Duration.ofMinutes(1).toNanos();

    /** Share of the timeout that is for reading beans; the rest is for writing and sending. */
    private static final double SHARE_OF_BEANS = 0.7;

    private final PrometheusRegistry registry;
    private final BeanReader beans;
    private final LongSupplier nanoClock;
    private final Consumer<String> errorLog;
    private final Consumer<String> infoLog;
    private final SharedAnswers answers;
    private final Counter scrapes;
    private final Counter errors;
    private final Gauge duration;
    private final Gauge series;
    private boolean failing;

    /** The longest timeout that a scraper gave recently, and when. */
    private Duration patience = Duration.ZERO;

    private long patientAt;

    /** Made for the first scrape: it loads hundreds of classes, which a start can do without. */
    private ExpositionFormats formats;

    /**
     * @param registry the exporter's own metrics; takes those of this handler
     * @param foreign what is read from beans, asked for at each scrape: what is named like a metric
     *     of the exporter's own is left out, and all of it where it takes most of the time that the
     *     scraper waits
     * @param nanoClock monotonic nanoseconds
     * @param errorLog takes a line when scrapes begin to fail
     * @param infoLog takes a line when they no longer fail
     */
    public ScrapeHandler(
            PrometheusRegistry registry,
            Supplier<List<MultiCollector>> foreign,
            LongSupplier nanoClock,
            Consumer<String> errorLog,
            Consumer<String> infoLog) {
        this.registry = registry;
        this.beans = new BeanReader(foreign);
        this.nanoClock = nanoClock;
        this.errorLog = errorLog;
        this.infoLog = infoLog;
        this.answers = new SharedAnswers(nanoClock);
        SeriesRegistry own = new SeriesRegistry(registry);
        scrapes = own.counter("kafka_exporter_scrapes_total");
        errors = own.counter("kafka_exporter_scrape_errors_total");
        duration = own.gauge("kafka_exporter_last_scrape_duration_seconds");
        series = own.gauge("kafka_exporter_last_scrape_series");
    }

    @Override
    public Answer answer(Request request) throws Exception {
        String accept = request.header("Accept").orElse(null);
        Duration bound = patience(forBeans(request));
        ExpositionFormatWriter writer = formats().findWriter(accept);
        EscapingScheme escaping = EscapingScheme.fromAcceptHeader(accept);
        scrapes.inc();
        // The timeout is not part of the key: a client that sends many different ones would have
        // beans read for each.
        return answers.of(List.of(writer.getContentType(), escaping), () -> page(writer, escaping, collect(bound)));
    }

    private synchronized ExpositionFormats formats() {
        if (formats == null) {
            formats = ExpositionFormats.init();
        }
        return formats;
    }

    private static Answer page(ExpositionFormatWriter writer, EscapingScheme escaping, MetricSnapshots snapshots)
            throws IOException {
        Content body = new Content(1 << 16);
        writer.write(body, snapshots, escaping);
        return Answer.large(200, writer.getContentType(), body);
    }

    /**
     * The longest patience of a recent scraper. All scrapers get the same page, so one with a short
     * timeout must not make it incomplete for the others.
     */
    private synchronized Duration patience(Duration bound) {
        long now = nanoClock.getAsLong();
        if (bound.compareTo(patience) >= 0 || now - patientAt > PATIENT_NANOS) {
            patience = bound;
            patientAt = now;
        }
        return patience;
    }

    private static Duration forBeans(Request request) {
        double seconds;
        try {
            seconds = request.header(TIMEOUT).map(Double::parseDouble).orElse(USUAL_TIMEOUT_SECONDS);
        } catch (NumberFormatException e) {
            seconds = USUAL_TIMEOUT_SECONDS; // not from Prometheus
        }
        double allowed =
                seconds >= LEAST_TIMEOUT_SECONDS ? Math.min(MOST_TIMEOUT_SECONDS, seconds) : LEAST_TIMEOUT_SECONDS;
        return Duration.ofMillis((long) (1e3 * SHARE_OF_BEANS * allowed));
    }

    private MetricSnapshots collect(Duration bound) throws InterruptedException {
        long began = nanoClock.getAsLong();
        Map<String, MetricSnapshot> all = new HashMap<>();
        Optional<String> failure = Optional.empty();
        long points = 0;
        CollectedMetrics own = CollectedMetrics.of(List.of(registry::scrape));
        for (CollectedMetrics reading : List.of(own, beans.read(bound))) {
            for (MetricSnapshot each : reading.snapshots) {
                if (all.putIfAbsent(each.getMetadata().getPrometheusName(), each) == null) {
                    points += each.getDataPoints().size();
                }
            }
            failure = reading.failure.isPresent() ? reading.failure : failure;
        }
        note(failure);
        series.set(points);
        duration.set((nanoClock.getAsLong() - began) / 1e9);
        return new MetricSnapshots(all.values());
    }

    private void note(Optional<String> failure) {
        if (failure.isPresent()) {
            errors.inc();
        }
        if (failing != failure.isPresent()) {
            failing = failure.isPresent();
            if (failing) {
                errorLog.accept("a scrape is incomplete: " + failure.get());
            } else {
                infoLog.accept("scrapes are complete again");
            }
        }
    }
}
