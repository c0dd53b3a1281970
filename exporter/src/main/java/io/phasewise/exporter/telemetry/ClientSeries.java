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

    private final Labels labels;
    private final long createdMillis;
    private final double[] sums = new double[Signal.values().length];
    private final double[] counts = new double[Signal.values().length];
    private final boolean[] known = new boolean[Signal.values().length];
    private long lastPush;

    /**
     * @param labels of all its metrics
     * @param createdMillis since the epoch; what its counters count from
     */
    ClientSeries(Labels labels, long createdMillis) {
        this.labels = labels;
        this.createdMillis = createdMillis;
    }

    Labels labels() {
        return labels;
    }

    long createdMillis() {
        return createdMillis;
    }

    /** Counts. */
    void add(Signal signal, double sum, double count) {
        sums[signal.ordinal()] += sum;
        counts[signal.ordinal()] += count;
        known[signal.ordinal()] = true;
    }

    /** Whether any of its clients has ever said. */
    boolean knows(Signal signal) {
        return known[signal.ordinal()];
    }

    double sum(Signal signal) {
        return sums[signal.ordinal()];
    }

    double count(Signal signal) {
        return counts[signal.ordinal()];
    }

    long lastPush() {
        return lastPush;
    }

    void lastPush(long nanos) {
        lastPush = nanos;
    }
}
