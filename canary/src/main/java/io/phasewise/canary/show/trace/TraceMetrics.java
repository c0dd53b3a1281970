/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The series about traces, which exist only where traces are configured: what became of each, and
 * what went wrong. Thread-safe.
 */
public final class TraceMetrics {
    private static final String EXPORTED = "exported";
    private static final String DROPPED = "dropped";
    private static final String GIVEN_UP = "given_up";

    private final AtomicInteger waiting = new AtomicInteger();
    private final Counter traces;
    private final Counter errors;

    /**
     * @param series registers them
     */
    public TraceMetrics(SeriesRegistry series) {
        traces = series.counter("kafka_canary_traces_total");
        errors = series.counter("kafka_canary_trace_errors_total");
        errors.initLabelValues("export");
        errors.initLabelValues("headers_file");
        series.read("kafka_canary_traces_waiting", waiting::get);
    }

    /** The series of a cluster and profile exist from now on, at zero. */
    public void open(String cluster, String profile) {
        for (String result : List.of(EXPORTED, DROPPED, GIVEN_UP)) {
            traces.initLabelValues(cluster, profile, result);
        }
    }

    /**
     * Counts a trace as waiting, or as dropped.
     *
     * @param most traces that may wait
     * @return whether there is room
     */
    boolean admit(ProbeTrace trace, int most) {
        if (waiting.incrementAndGet() <= most) {
            return true;
        }
        waiting.decrementAndGet();
        traces.labelValues(trace.source().cluster(), trace.source().profile(), DROPPED).inc();
        return false;
    }

    /** The receiver took a trace. */
    void exported(SpanData root) {
        ended(root, EXPORTED);
    }

    /** The receiver did not take a trace for so long that no more is tried. */
    void givenUp(SpanData root) {
        ended(root, GIVEN_UP);
    }

    private void ended(SpanData root, String result) {
        waiting.decrementAndGet();
        Attributes attributes = root.getAttributes();
        traces.labelValues(
                        attributes.get(ProbeSpans.CLUSTER),
                        attributes.get(ProbeSpans.PROFILE),
                        result)
                .inc();
    }

    /** The receiver did not take a batch. */
    void exportFailed() {
        errors.labelValues("export").inc();
    }

    /** The file with the headers cannot be used as it is. */
    void headersFileFailed() {
        errors.labelValues("headers_file").inc();
    }
}
