/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.phasewise.canary.config.TracesConfig;
import io.phasewise.canary.show.slow.ProbeSource;
import io.phasewise.common.phase.Phase;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes traces from every cluster and has OpenTelemetry send them to the receiver, batch by batch
 * on a thread of its own; which probes become one is left to {@link TraceRule}, what happens while
 * the receiver is away to {@link RetryingExporter}. Made only where traces are configured: no class
 * of OpenTelemetry's is loaded otherwise.
 */
public final class TraceExport implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TraceExport.class);

    /** Traces of one request: some 600 spans, below 200 KB before compression. */
    private static final int BATCH = 100;

    /** How long a trace waits for others. */
    private static final Duration GATHER = Duration.ofMillis(500);

    /**
     * Turned off, as it repeats at each attempt what is logged here once. Kept in a field, as the
     * JDK drops a logger that nobody holds, and its level.
     */
    private final java.util.logging.Logger exporterLog =
            java.util.logging.Logger.getLogger("io.opentelemetry.exporter.otlp.internal.HttpExporter");

    private final TracesConfig config;
    private final TraceMetrics metrics;
    private final Duration last;
    private final ProbeSpans spans;
    private final CountDownLatch stop = new CountDownLatch(1);

    /**
     * Sends what it is given from now on.
     *
     * @param config where to
     * @param version of the canary
     * @param metrics the traces' series
     */
    public TraceExport(TracesConfig config, String version, TraceMetrics metrics) {
        this(config, version, metrics, Duration.ofMillis(400));
    }

    /**
     * @param last how long {@link #close} may take to send what still waits
     */
    TraceExport(TracesConfig config, String version, TraceMetrics metrics, Duration last) {
        this.last = last;
        this.config = config;
        this.metrics = metrics;
        exporterLog.setLevel(Level.OFF);
        int spansOfTrace = 1 + Phase.values().length; // the root too
        SpanExporter exporter = new RetryingExporter(
                receiver(config, metrics),
                config.timeout().plusSeconds(1), // the receiver's own timeout comes first
                this::rest,
                metrics,
                LOG::warn);
        spans = new ProbeSpans(
                version,
                BatchSpanProcessor.builder(exporter)
                        .setScheduleDelay(GATHER)
                        .setMaxExportBatchSize(BATCH * spansOfTrace)
                        // Never full: traces are admitted or dropped as a whole.
                        .setMaxQueueSize(Math.max(BATCH, config.maxWaiting()) * spansOfTrace)
                        .build());
    }

    private static SpanExporter receiver(TracesConfig config, TraceMetrics metrics) {
        Supplier<Map<String, String>> fromFile = config.headersFile()
                .<Supplier<Map<String, String>>>map(
                        file -> new HeadersFile(file, () -> metrics.failed(TraceMetrics.HEADERS_FILE), LOG::warn))
                .orElse(Map::of);
        return OtlpHttpSpanExporter.builder()
                .setEndpoint(config.endpoint().toString())
                .setCompression("gzip")
                .setConnectTimeout(config.timeout())
                .setTimeout(config.timeout())
                .setRetryPolicy(null) // see RetryingExporter
                .setHeaders(() -> {
                    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                    headers.putAll(config.headers());
                    headers.putAll(fromFile.get());
                    return headers;
                })
                .build();
    }

    /** Waits for a pause; returns false at once when the process ends. */
    private boolean rest(Duration pause) {
        try {
            return !stop.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Hands over those probes of a cluster and profile that become a trace.
     *
     * @param source whose probes they are
     * @param target a probe that took longer is slow
     */
    public ProbeTracer tracer(ProbeSource source, Duration target) {
        metrics.open(source.cluster(), source.profile());
        return new ProbeTracer(new TraceRule(source.instance(), target, config.sampleOneIn()), source, this::take);
    }

    private void take(ProbeTrace trace) {
        if (metrics.admit(trace, config.maxWaiting())) {
            spans.add(trace);
        }
    }

    /** Sends what waits, if that takes no longer than a moment, and ends. */
    @Override
    public void close() {
        stop.countDown();
        spans.close(last);
    }
}
