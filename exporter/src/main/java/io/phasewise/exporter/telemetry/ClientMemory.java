/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The one bound on what clients that push can make the broker's heap hold, and the account of what
 * they hold. A quarter is for pushes that wait to be read: or remembered clients could leave no
 * room for their own next push. What does not fit is refused and counted.
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

    /** What bytes are held for. */
    enum Use {
        /** Pushes that are to be read. */
        WAITING,
        /** Clients, their counters and their series. */
        REMEMBERED
    }

    /** Why something was not kept. */
    enum Refusal {
        /** No room for a push to wait until it is read. */
        PUSH_NO_ROOM,
        /** No room for a new client: its pushes are not counted. */
        CLIENT_NO_ROOM,
        /** No room for a counter. */
        COUNTER_NO_ROOM,
        /** A client has as many counters as it may have. */
        COUNTER_TOO_MANY,
        /** No room for series of its own: the client is counted under other. */
        SERIES_NO_ROOM
    }

    private final long most;
    private final Map<Use, AtomicLong> used = new EnumMap<>(Use.class);

    /** What was not kept, by reason. */
    final Counts<Refusal> refused = new Counts<>(Refusal.class);

    /**
     * @param most bytes for all uses together
     */
    ClientMemory(long most) {
        this.most = most;
        for (Use use : Use.values()) {
            used.put(use, new AtomicLong());
        }
    }

    void register(PrometheusRegistry registry) {
        GaugeWithCallback.builder()
                .name("kafka_exporter_client_memory_bytes")
                .unit(Unit.BYTES)
                .help(
                        "Bytes of the broker's heap held for what clients push, an upper bound, by"
                            + " use: waiting (pushes to be read), remembered (clients and series).")
                .labelNames("use")
                .callback(
                        metric ->
                                used.keySet()
                                        .forEach(use -> metric.call(used(use), Counts.value(use))))
                .register(registry);
        GaugeWithCallback.builder()
                .name("kafka_exporter_client_memory_limit_bytes")
                .unit(Unit.BYTES)
                .help(
                        "Bytes of the broker's heap that may be held for what clients push:"
                                + " clients.max-memory-bytes.")
                .callback(metric -> metric.call(most))
                .register(registry);
        refused.register(
                registry,
                "kafka_exporter_client_refused_total",
                "What was not kept of clients that push, by reason: push_no_room, client_no_room,"
                        + " counter_no_room, counter_too_many (256 of a client), series_no_room"
                        + " (counted under other).",
                "reason");
    }

    /**
     * Takes bytes if there are so many left.
     *
     * @param otherwise what is counted if there are not
     * @return whether they were taken
     */
    boolean reserve(Use use, long bytes, Refusal otherwise) {
        AtomicLong account = used.get(use);
        if (account.addAndGet(bytes) <= most(use)) {
            return true;
        }
        account.addAndGet(-bytes);
        refused.add(otherwise);
        return false;
    }

    /** Gives back bytes that were reserved. */
    void release(Use use, long bytes) {
        used.get(use).addAndGet(-bytes);
    }

    /** Bytes held; for a moment more than allowed while a reservation fails. */
    long used(Use use) {
        return Math.min(used.get(use).get(), most(use));
    }

    private long most(Use use) {
        long waiting = most / 4;
        return use == Use.WAITING ? waiting : most - waiting;
    }
}
