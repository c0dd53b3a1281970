/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.telemetry;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What must be remembered of one client while it lives: its values of now, and what its counters
 * showed in the push before. Not safe for use by several threads.
 */
final class ClientInstance {

    /** A client that pushes more is served without those beyond. */
    private static final int MOST_COUNTERS = 256;

    /** Pushes that may fail to come before a client counts as gone. */
    private static final int MISSED_PUSHES = 3;

    private static final long LEAST_PATIENCE_NANOS = 10_000_000_000L;

    private final ClientMemory memory;
    private final Map<String, Point> counters = new HashMap<>();
    private final double[] gauges = new double[ClientMetrics.SIGNALS.size()];
    private Labels labels = Labels.EMPTY;
    private long pushInterval;
    private long lastGap;
    private long gapBefore;
    private long lastPush;
    private boolean pushed;
    private boolean away;
    private double activity;

    /**
     * @param memory has room for this client, but not for its counters
     */
    ClientInstance(ClientMemory memory) {
        this.memory = memory;
        Arrays.fill(gauges, Double.NaN);
    }

    /** Whose series its values are part of. */
    Labels labels() {
        return labels;
    }

    /** A push has come. */
    void push(Labels owner, Push push) {
        labels = owner;
        long gap = push.arrived - lastPush;
        long interval = intervalNanos();
        // The gap is long: the client may have pushed to another broker meanwhile.
        away = pushed && interval > 0 && gap > interval + interval / 2;
        if (push.interval > 0) {
            pushInterval = push.interval;
        }
        if (pushed && !push.terminating) {
            gapBefore = lastGap;
            lastGap = gap;
        }
        lastPush = push.arrived;
        pushed = true;
    }

    /**
     * How often the client pushes: the interval that it was told, otherwise the longer of its last
     * two gaps, because one of them is short when a subscription changes; 0 when it is not known.
     */
    private long intervalNanos() {
        return pushInterval > 0 ? pushInterval : Math.max(lastGap, gapBefore);
    }

    /**
     * Whether so many pushes are missing that the client has ended, or pushes to another broker.
     */
    boolean isGone(long now, long expiryNanos) {
        long interval = intervalNanos();
        long patience = Math.max(MISSED_PUSHES * interval, LEAST_PATIENCE_NANOS);
        long bound = interval > 0 ? patience : expiryNanos;
        return now - lastPush > (pushInterval > 0 ? bound : Math.min(bound, expiryNanos));
    }

    /**
     * How much a counter has grown since the push before, as far as this broker can know: what a
     * cumulative counter showed before its first push here may have been counted by another broker.
     *
     * @return 0 for a point that was here before
     */
    double growth(Point point) {
        // Removed, or the key of then would be kept beside that of the point.
        Point seen = counters.remove(point.key);
        if (seen == null && !mayHaveOneMore()) {
            return 0;
        }
        counters.put(point.key, point);
        boolean repeated = seen != null && point.time != 0 && point.time == seen.time && point.start == seen.start;
        if (repeated) {
            return 0;
        }
        if (!point.cumulative) {
            return point.value;
        }
        if (seen == null || away) {
            return 0;
        }
        boolean restarted = point.start != seen.start || point.value < seen.value;
        return restarted ? point.value : point.value - seen.value;
    }

    private boolean mayHaveOneMore() {
        if (counters.size() >= MOST_COUNTERS) {
            memory.refuse("counter_too_many");
            return false;
        }
        return memory.remembered.take(ClientMemory.COUNTER_BYTES, "counter_no_room");
    }

    /** Gives back the room for itself and its counters: nobody remembers it any more. */
    void forget() {
        memory.remembered.release(ClientMemory.CLIENT_BYTES + (long) ClientMemory.COUNTER_BYTES * counters.size());
    }

    /** NaN while the client does not say. */
    double gauge(Signal signal) {
        return gauges[signal.index];
    }

    void gauge(Signal signal, double value) {
        gauges[signal.index] = value;
    }

    void act(double amount) {
        activity += amount;
    }

    /** How busy the client was recently. Each call halves that value for the next one. */
    double fadingActivity() {
        double now = activity;
        activity /= 2;
        return now;
    }
}
