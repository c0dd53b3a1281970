/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.trace;

import java.util.Collection;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Traces that wait to be sent, so many at most; more are dropped and counted, for nobody who
 * measures waits for a receiver. Thread-safe.
 */
final class TraceQueue {
    private final BlockingQueue<ProbeTrace> waiting;
    private final TraceMetrics metrics;

    /**
     * @param most traces, at least 1
     * @param metrics counts what is dropped
     */
    TraceQueue(int most, TraceMetrics metrics) {
        this.waiting = new ArrayBlockingQueue<>(most);
        this.metrics = metrics;
    }

    /** Takes a trace, or drops it. */
    void offer(ProbeTrace trace) {
        if (!waiting.offer(trace)) {
            metrics.dropped(trace.source().cluster(), trace.source().profile());
        }
    }

    /** Moves the oldest, so many at most, to the end of another collection. */
    void drainTo(Collection<ProbeTrace> batch, int most) {
        waiting.drainTo(batch, most);
    }

    /** How many wait. */
    int size() {
        return waiting.size();
    }
}
