/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.model.snapshots.Labels;

/**
 * What is counted under one set of labels. It outlives the clients that it counts. Not safe for use
 * by several threads.
 */
final class ClientSeries {

    /** Of all its metrics. */
    final Labels labels;

    /** Since the epoch; what its counters count from. */
    final long createdMillis;

    /** When one of its clients pushed, monotonic nanoseconds. */
    long lastPush;

    /** Whether it has been read since. */
    boolean isRead;

    private final double[] sums = new double[ClientMetrics.SIGNALS.size()];
    private final double[] counts = new double[ClientMetrics.SIGNALS.size()];
    private final boolean[] known = new boolean[ClientMetrics.SIGNALS.size()];

    ClientSeries(Labels labels, long createdMillis) {
        this.labels = labels;
        this.createdMillis = createdMillis;
    }

    /** Counts. */
    void add(Signal signal, double sum, double count) {
        sums[signal.index] += sum;
        counts[signal.index] += count;
        known[signal.index] = true;
    }

    /** Whether any of its clients has ever said. */
    boolean knows(Signal signal) {
        return known[signal.index];
    }

    double sum(Signal signal) {
        return sums[signal.index];
    }

    double count(Signal signal) {
        return counts[signal.index];
    }
}
