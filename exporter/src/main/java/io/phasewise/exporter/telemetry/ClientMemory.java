/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.phasewise.exporter.series.SeriesRegistry;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The one bound on what clients that push can make the broker's heap hold, and the account of what
 * they hold. A quarter is kept for pushes that wait to be read. Otherwise the clients that are
 * remembered could leave no room for their own next pushes. What does not fit is refused and
 * counted.
 *
 * <p>The figures are upper bounds of what an object takes with compressed references. Safe for use
 * by several threads, none of which waits.
 */
final class ClientMemory {

    /** Bytes of a push that waits, beside its content and the names of its sender. */
    static final int PUSH_BYTES = 512;

    /** Bytes of a client that is remembered, with labels as long as they may be. */
    static final int CLIENT_BYTES = 2_048;

    /** Bytes of one counter of a client, with a key as long as {@link PushDecoder} makes them. */
    static final int COUNTER_BYTES = 320;

    /** Bytes of the series of one set of labels. */
    static final int SERIES_BYTES = 2_048;

    /** Pushes that are to be read. */
    final Share waiting;

    /** Clients, their counters and their series. */
    final Share remembered;

    private final Counter refused;

    /**
     * @param most bytes for both shares together
     * @param registry takes the metrics
     */
    ClientMemory(long most, PrometheusRegistry registry) {
        waiting = new Share(most / 4);
        remembered = new Share(most - most / 4);
        SeriesRegistry series = new SeriesRegistry(registry);
        series.read("kafka_exporter_client_memory_bytes", points -> {
            points.add(waiting.used(), "waiting");
            points.add(remembered.used(), "remembered");
        });
        series.read("kafka_exporter_client_memory_limit_bytes", () -> most);
        refused = series.counter(
                "kafka_exporter_client_refused_total",
                "push_no_room",
                "client_no_room",
                "counter_no_room",
                "counter_too_many",
                "series_no_room");
    }

    /** Counts what is not kept. */
    void refuse(String reason) {
        refused.labelValues(reason).inc();
    }

    /** A part of the bytes. */
    final class Share {

        private final long most;
        private final AtomicLong used = new AtomicLong();

        private Share(long most) {
            this.most = most;
        }

        /**
         * Takes bytes if there are so many left.
         *
         * @param otherwise reason of the refusal that is counted if there are not
         * @return whether they were taken
         */
        boolean take(long bytes, String otherwise) {
            if (used.addAndGet(bytes) <= most) {
                return true;
            }
            release(bytes);
            refuse(otherwise);
            return false;
        }

        /** Gives back bytes that were taken. */
        void release(long bytes) {
            used.addAndGet(-bytes);
        }

        /** Bytes held; for a moment more than allowed while some are refused. */
        long used() {
            return Math.min(used.get(), most);
        }
    }
}
