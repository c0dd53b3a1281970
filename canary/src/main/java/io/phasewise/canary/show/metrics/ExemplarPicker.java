/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import java.time.Duration;

/**
 * Picks the probes whose id the histograms show as an exemplar: the slow ones, and now and then one
 * of the others to compare them with; so few that ten thousand probes a second cost nothing. Used
 * by one thread at a time.
 *
 * <p>Prometheus's client takes one exemplar in 90 ms for a series and keeps it for at least seven
 * seconds in its bucket; picking more would be useless, and a probe that is picked for comparison
 * may turn a slow one away, hence so seldom.
 */
final class ExemplarPicker {
    private static final long SLOW_GAP = Duration.ofMillis(100).toNanos();
    private static final long OTHER_GAP = Duration.ofSeconds(5).toNanos();

    private final long slowerThanNanos;
    private boolean any;
    private long lastNanos;

    /**
     * @param slowerThan a probe that took longer is slow
     */
    ExemplarPicker(Duration slowerThan) {
        this.slowerThanNanos = slowerThan.toNanos();
    }

    /**
     * Whether to pick a probe.
     *
     * @param latencyNanos what it took
     * @param nowNanos when it came back, monotonic nanoseconds
     */
    boolean picks(long latencyNanos, long nowNanos) {
        long gap = latencyNanos > slowerThanNanos ? SLOW_GAP : OTHER_GAP;
        if (any && nowNanos - lastNanos < gap) {
            return false;
        }
        any = true;
        lastNanos = nowNanos;
        return true;
    }
}
