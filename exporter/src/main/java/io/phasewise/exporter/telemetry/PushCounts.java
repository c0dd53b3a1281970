/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.atomic.LongAdder;

/** What became of pushes. Safe for use by several threads, none of which waits. */
final class PushCounts {

    private final Counts<Result> results = new Counts<>(Result.class);

    /** Of the pushes accepted. */
    private final LongAdder bytes = new LongAdder();

    /** An end that a push can come to. */
    enum Result {
        ACCEPTED,
        /** Not OTLP metrics. */
        MALFORMED,
        /** Larger than allowed, once decompressed. */
        TOO_LARGE,
        /** More than could be kept up with, or from a client that there was no room for. */
        DROPPED,
        /** Something else went wrong. */
        FAILED
    }

    void register(PrometheusRegistry registry) {
        results.register(
                registry,
                "kafka_exporter_client_pushes_total",
                "Pushes of clients, by result: accepted, or refused as malformed, too_large,"
                        + " dropped (more than could be processed or kept), failed.",
                "result");
        CounterWithCallback.builder()
                .name("kafka_exporter_client_push_bytes_total")
                .help("Bytes of the accepted pushes, decompressed.")
                .callback(metric -> metric.call(bytes.sum()))
                .register(registry);
    }

    void add(Result result) {
        results.add(result);
    }

    /** Counts a push as accepted. */
    void accepted(int size) {
        add(Result.ACCEPTED);
        bytes.add(size);
    }

    long of(Result result) {
        return results.of(result);
    }
}
