/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import static io.phasewise.canary.show.trace.TraceMetrics.EXPORT;
import static io.phasewise.canary.show.trace.TraceMetrics.EXPORTED;
import static io.phasewise.canary.show.trace.TraceMetrics.GIVEN_UP;

import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Exports a batch again, at growing distances, for about a minute before it is given up, and counts
 * what becomes of the traces. OpenTelemetry's own retries end with the timeout of one request and
 * do not repeat what a renewed token would cure. Says so once when the receiver stops accepting
 * traces and once when it accepts them again. One thread at a time.
 */
final class RetryingExporter implements SpanExporter {
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final SpanExporter receiver;
    private final Duration timeout;
    private final Predicate<Duration> rest;
    private final TraceMetrics metrics;
    private final Consumer<String> log;
    private boolean failing;

    /**
     * @param receiver sends one batch
     * @param timeout of one attempt
     * @param rest waits for a pause; false when there is no time left
     * @param metrics counts
     * @param log takes a line when the receiver goes away or comes back
     */
    RetryingExporter(
            SpanExporter receiver,
            Duration timeout,
            Predicate<Duration> rest,
            TraceMetrics metrics,
            Consumer<String> log) {
        this.receiver = receiver;
        this.timeout = timeout;
        this.rest = rest;
        this.metrics = metrics;
        this.log = log;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        Duration rested = Duration.ZERO;
        Duration pause = FIRST_PAUSE;
        while (true) {
            CompletableResultCode result = receiver.export(spans).join(timeout.toNanos(), TimeUnit.NANOSECONDS);
            if (result.isSuccess()) {
                taken();
                ProbeSpans.roots(spans).forEach(root -> metrics.ended(root, EXPORTED));
                return result;
            }
            failed(result);
            if (rested.compareTo(PATIENCE) >= 0 || !rest.test(pause)) {
                ProbeSpans.roots(spans).forEach(root -> metrics.ended(root, GIVEN_UP));
                return CompletableResultCode.ofFailure();
            }
            rested = rested.plus(pause);
            Duration next = pause.multipliedBy(2);
            pause = next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
        }
    }

    private void taken() {
        if (failing) {
            log.accept("the receiver accepts traces again");
        }
        failing = false;
    }

    private void failed(CompletableResultCode result) {
        metrics.failed(EXPORT);
        if (!failing) {
            log.accept("the receiver does not accept traces, retrying: " + why(result));
        }
        failing = true;
    }

    /** Says nothing of what was sent, as headers may be secret. */
    private static String why(CompletableResultCode result) {
        Throwable failure = result.getFailureThrowable();
        if (failure instanceof HttpExportException http && http.getResponse() != null) {
            return "HTTP status " + http.getResponse().getStatusCode();
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

    @Override
    public CompletableResultCode flush() {
        return receiver.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return receiver.shutdown();
    }
}
