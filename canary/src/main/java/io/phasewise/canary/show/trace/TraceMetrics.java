/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.slow.ProbeSource;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The series about traces, which exist only where traces are configured: what became of each, and
 * what went wrong. Thread-safe.
 */
public final class TraceMetrics {
    static final String EXPORTED = "exported";
    static final String GIVEN_UP = "given_up";
    static final String EXPORT = "export";
    static final String HEADERS_FILE = "headers_file";
    private static final String DROPPED = "dropped";

    private final AtomicInteger waiting = new AtomicInteger();
    private final Counter traces;
    private final Counter errors;

    /**
     * @param series registers them
     */
    public TraceMetrics(SeriesRegistry series) {
        traces = series.counter("kafka_canary_traces_total");
        errors = series.counter("kafka_canary_trace_errors_total");
        errors.initLabelValues(EXPORT);
        errors.initLabelValues(HEADERS_FILE);
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
        ProbeSource source = trace.probe().source();
        traces.labelValues(source.cluster(), source.profile(), DROPPED).inc();
        return false;
    }

    /**
     * A trace waits no longer.
     *
     * @param result {@link #EXPORTED}, or {@link #GIVEN_UP} where the receiver did not take it for
     *     so long that it is not tried any more
     */
    void ended(SpanData root, String result) {
        waiting.decrementAndGet();
        Attributes attributes = root.getAttributes();
        traces.labelValues(attributes.get(ProbeSpans.CLUSTER), attributes.get(ProbeSpans.PROFILE), result)
                .inc();
    }

    /**
     * Something went wrong that is tried again.
     *
     * @param kind {@link #EXPORT} where the receiver did not take a batch, {@link #HEADERS_FILE}
     *     where the file with the headers cannot be used as it is
     */
    void failed(String kind) {
        errors.labelValues(kind).inc();
    }
}
