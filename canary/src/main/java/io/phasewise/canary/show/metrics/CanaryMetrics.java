/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Hands each cluster its series, and counts how late the canary's own timer is. */
public final class CanaryMetrics {
    private final SeriesRegistry series;
    private final Histogram hiccup;
    private final Counter stalledSeconds;
    private final long stallNanos;

    /**
     * @param series registers them
     * @param stall a timer later than this means that the process was stalled
     * @param profiles read at every scrape
     */
    public CanaryMetrics(SeriesRegistry series, Duration stall, Supplier<List<ProfileSnapshot>> profiles) {
        this.series = series;
        stallNanos = stall.toNanos();
        hiccup = series.histogram("kafka_canary_hiccup_seconds");
        hiccup.initLabelValues();
        stalledSeconds = series.counter("kafka_canary_stalled_seconds_total");
        series.collect(points -> profiles.get().forEach(profile -> new ProfilePoints(profile, points).add()));
    }

    /**
     * The series of one cluster and profile.
     *
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     */
    public ClusterMetrics cluster(String cluster, String profile) {
        return new ClusterMetrics(series, cluster, profile);
    }

    /**
     * The canary's timer fired.
     *
     * @param nanos how late
     */
    public void hiccup(long nanos) {
        hiccup.observe(nanos / 1e9);
        if (nanos > stallNanos) {
            stalledSeconds.inc(nanos / 1e9);
        }
    }
}
