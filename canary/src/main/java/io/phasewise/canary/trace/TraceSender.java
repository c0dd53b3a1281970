/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trace;

import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.phasewise.canary.config.TracesConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Sends waiting traces, batch by batch. A batch that the receiver does not take is tried again, at
 * growing distances, for a minute and then given up; what comes meanwhile waits in the queue as
 * long as there is room. Says so once when the receiver stops taking traces and once when it takes
 * them again. When it is called is left to {@link TraceExport}; one thread at a time.
 */
final class TraceSender {
    /** Traces of one request: some 600 spans, below 200 KB before compression. */
    static final int BATCH = 100;

    /** How often to look for traces while there is nothing to repeat. */
    static final Duration IDLE = Duration.ofMillis(500);

    static final Duration RETRY_AT_MOST = Duration.ofSeconds(15);
    private static final Duration RETRY_AT_LEAST = Duration.ofSeconds(1);
    private static final long PATIENCE = Duration.ofMinutes(1).toNanos();

    private final TraceQueue queue;
    private final ProbeSpans spans;
    private final SpanExporter exporter;
    private final Duration timeout;
    private final TraceMetrics metrics;
    private final Consumer<String> log;
    private final LongSupplier nanoClock;

    private final List<ProbeTrace> pending = new ArrayList<>();
    private long firstTriedNanos;
    private int failures;

    /**
     * @param queue where the traces wait
     * @param spans makes spans of them
     * @param exporter sends spans
     * @param timeout of a request
     * @param metrics counts
     * @param log takes a line when the receiver goes away or comes back
     * @param nanoClock monotonic nanoseconds
     */
    TraceSender(
            TraceQueue queue,
            ProbeSpans spans,
            SpanExporter exporter,
            Duration timeout,
            TraceMetrics metrics,
            Consumer<String> log,
            LongSupplier nanoClock) {
        this.queue = queue;
        this.spans = spans;
        this.exporter = exporter;
        this.timeout = timeout;
        this.metrics = metrics;
        this.log = log;
        this.nanoClock = nanoClock;
    }

    /**
     * Sends to an OTLP receiver over HTTP.
     *
     * @param config where to
     * @param version of the canary
     * @param queue where the traces wait
     * @param metrics counts
     * @param log takes a line when something goes wrong or is well again
     */
    static TraceSender overHttp(
            TracesConfig config,
            String version,
            TraceQueue queue,
            TraceMetrics metrics,
            Consumer<String> log) {
        Map<String, String> given = config.headers();
        Supplier<Map<String, String>> fromFile =
                config.headersFile()
                        .<Supplier<Map<String, String>>>map(
                                file -> new HeadersFile(file, metrics::headersFileFailed, log))
                        .orElse(Map::of);
        SpanExporter exporter =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(config.endpoint().toString())
                        .setCompression("gzip")
                        .setConnectTimeout(config.timeout())
                        .setTimeout(config.timeout())
                        .setRetryPolicy(null) // repeated, and counted, here
                        .setHeaders(
                                () -> {
                                    Map<String, String> headers =
                                            new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
                                    headers.putAll(given);
                                    headers.putAll(fromFile.get());
                                    return headers;
                                })
                        .build();
        return new TraceSender(
                queue,
                new ProbeSpans(version),
                exporter,
                config.timeout().plusSeconds(1), // the exporter's own comes first
                metrics,
                log,
                System::nanoTime);
    }

    /** Lets go of connections and threads. */
    void close() {
        exporter.shutdown();
    }

    /**
     * Sends one batch, or tries the last one again.
     *
     * @return how long to wait before the next call
     */
    Duration send() {
        return send(timeout);
    }

    /**
     * Sends what waits, unless the receiver takes nothing anyway.
     *
     * @param within how long it may take, about
     */
    void flush(Duration within) {
        long end = nanoClock.getAsLong() + within.toNanos();
        long left = within.toNanos();
        while (failures == 0 && left > 0 && queue.size() > 0) {
            send(Duration.ofNanos(left));
            left = end - nanoClock.getAsLong();
        }
    }

    private Duration send(Duration within) {
        if (pending.isEmpty()) {
            queue.drainTo(pending, BATCH);
            firstTriedNanos = nanoClock.getAsLong();
        }
        if (pending.isEmpty()) {
            return IDLE;
        }
        CompletableResultCode result =
                exporter.export(spans.of(pending)).join(within.toNanos(), TimeUnit.NANOSECONDS);
        if (result.isSuccess()) {
            succeeded();
            return queue.size() < BATCH ? IDLE : Duration.ZERO;
        }
        failed(result);
        Duration pause = RETRY_AT_LEAST.multipliedBy(1L << Math.min(failures - 1, 10));
        return pause.compareTo(RETRY_AT_MOST) < 0 ? pause : RETRY_AT_MOST;
    }

    private void succeeded() {
        pending.forEach(t -> metrics.exported(t.source().cluster(), t.source().profile()));
        pending.clear();
        if (failures > 0) {
            failures = 0;
            log.accept("traces are taken again");
        }
    }

    private void failed(CompletableResultCode result) {
        metrics.exportFailed();
        failures++;
        if (failures == 1) {
            log.accept("traces are not taken, trying again: " + why(result));
        }
        if (nanoClock.getAsLong() - firstTriedNanos > PATIENCE) {
            pending.forEach(t -> metrics.givenUp(t.source().cluster(), t.source().profile()));
            pending.clear();
        }
    }

    /** Nothing of what was sent, for headers may be secret. */
    private static String why(CompletableResultCode result) {
        Throwable failure = result.getFailureThrowable();
        if (failure instanceof HttpExportException http && http.getResponse() != null) {
            return "the receiver answers with HTTP status " + http.getResponse().getStatusCode();
        }
        if (failure == null) {
            return result.isDone() ? "unknown" : "no answer in time";
        }
        Throwable cause = failure;
        while (!(cause instanceof IOException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null
                ? cause.getClass().getSimpleName()
                : cause.getClass().getSimpleName() + ": " + cause.getMessage();
    }
}
