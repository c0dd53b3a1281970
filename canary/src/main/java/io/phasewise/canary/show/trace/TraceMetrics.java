/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
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
     * @param registry where the series go
     * @param everywhere labels that all series carry, beside their own
     */
    public TraceMetrics(PrometheusRegistry registry, Labels everywhere) {
        traces =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_traces_total")
                        .help(
                                "Traces of probes, by result: exported, dropped (too many were"
                                    + " waiting), given_up (the receiver did not accept them for a"
                                    + " minute).")
                        .labelNames("cluster", "profile", "result")
                        .register(registry);
        errors =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_trace_errors_total")
                        .help(
                                "Failures of tracing, by kind: export (sending traces),"
                                        + " headers_file (reading the file of headers).")
                        .labelNames("kind")
                        .register(registry);
        errors.initLabelValues("export");
        errors.initLabelValues("headers_file");
        GaugeWithCallback.builder()
                .constLabels(everywhere)
                .name("kafka_canary_traces_waiting")
                .help("Traces that wait to be sent or are being sent.")
                .callback(callback -> callback.call(waiting.get()))
                .register(registry);
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
