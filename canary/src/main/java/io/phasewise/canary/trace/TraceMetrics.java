/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trace;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.function.IntSupplier;

/**
 * The series about traces, which exist only where traces are configured: what became of each, and
 * what went wrong. Thread-safe.
 */
public final class TraceMetrics {
    private static final String EXPORTED = "exported";
    private static final String DROPPED = "dropped";
    private static final String GIVEN_UP = "given_up";

    private final PrometheusRegistry registry;
    private final Labels everywhere;
    private final Counter traces;
    private final Counter errors;

    /**
     * @param registry where the series go
     * @param everywhere labels that all series carry, beside their own
     */
    public TraceMetrics(PrometheusRegistry registry, Labels everywhere) {
        this.registry = registry;
        this.everywhere = everywhere;
        traces =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_traces_total")
                        .help(
                                "Traces of probes: exported to the receiver, dropped because too"
                                    + " many were waiting, or given up because the receiver did not"
                                    + " take them for a minute.")
                        .labelNames("cluster", "profile", "result")
                        .register(registry);
        errors =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_trace_errors_total")
                        .help(
                                "Failed attempts to send traces (export), and to read the file with"
                                        + " their headers (headers_file).")
                        .labelNames("kind")
                        .register(registry);
        errors.initLabelValues("export");
        errors.initLabelValues("headers_file");
    }

    /** Exports how many traces wait, too. */
    public void waiting(IntSupplier count) {
        GaugeWithCallback.builder()
                .constLabels(everywhere)
                .name("kafka_canary_traces_waiting")
                .help("Traces that wait to be sent.")
                .callback(callback -> callback.call(count.getAsInt()))
                .register(registry);
    }

    /** The series of a cluster and profile exist from now on, at zero. */
    public void open(String cluster, String profile) {
        traces.initLabelValues(cluster, profile, EXPORTED);
        traces.initLabelValues(cluster, profile, DROPPED);
        traces.initLabelValues(cluster, profile, GIVEN_UP);
    }

    /** The receiver took a trace. */
    public void exported(String cluster, String profile) {
        traces.labelValues(cluster, profile, EXPORTED).inc();
    }

    /** A trace found no room. */
    public void dropped(String cluster, String profile) {
        traces.labelValues(cluster, profile, DROPPED).inc();
    }

    /** The receiver did not take a trace for so long that no more is tried. */
    public void givenUp(String cluster, String profile) {
        traces.labelValues(cluster, profile, GIVEN_UP).inc();
    }

    /** The receiver did not take a batch. */
    public void exportFailed() {
        errors.labelValues("export").inc();
    }

    /** The file with the headers cannot be used as it is. */
    public void headersFileFailed() {
        errors.labelValues("headers_file").inc();
    }
}
