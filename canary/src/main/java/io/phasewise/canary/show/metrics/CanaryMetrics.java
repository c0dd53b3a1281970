/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.status.ProfileSnapshot;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * Holds every series of the measuring, and hands each cluster its part; what is counted where is
 * left to the rooms that count.
 */
public final class CanaryMetrics {
    final SeriesRegistry series;
    final Histogram endToEnd;
    final Histogram phase;
    final Histogram mirror;
    final Histogram producer;
    final Histogram consumer;
    final Counter slowPhase;
    final Counter slowMirror;
    final Histogram scheduleLag;
    final Histogram laneWait;
    final Histogram offsetCommit;
    final Histogram rebalance;
    final Counter rebalances;
    final Counter stalled;
    final Counter ignored;
    final Gauge phaseSource;
    final Histogram estimateError;
    final Counter misestimated;
    final Counter unmarked;
    final Counter errors;
    private final Histogram hiccup;
    private final Counter stalledSeconds;
    private final long stallNanos;

    /**
     * @param series registers them
     * @param stall a timer later than this means that the process was stalled
     * @param profiles read at every scrape
     */
    public CanaryMetrics(
            SeriesRegistry series, Duration stall, Supplier<List<ProfileSnapshot>> profiles) {
        this.series = series;
        stallNanos = stall.toNanos();
        endToEnd = series.histogram("kafka_canary_end_to_end_latency_seconds");
        phase = series.histogram("kafka_canary_phase_latency_seconds");
        mirror = series.histogram("kafka_canary_mirror_latency_seconds");
        producer = series.histogram("kafka_canary_producer_latency_seconds");
        consumer = series.histogram("kafka_canary_consumer_latency_seconds");
        slowPhase = series.counter("kafka_canary_slow_probes_phase_seconds_total");
        slowMirror = series.counter("kafka_canary_slow_probes_mirror_seconds_total");
        scheduleLag = series.histogram("kafka_canary_schedule_lag_seconds");
        laneWait = series.histogram("kafka_canary_lane_wait_seconds");
        offsetCommit = series.histogram("kafka_canary_offset_commit_latency_seconds");
        rebalance = series.histogram("kafka_canary_rebalance_latency_seconds");
        rebalances = series.counter("kafka_canary_rebalances_total");
        hiccup = series.histogram("kafka_canary_hiccup_seconds");
        hiccup.initLabelValues();
        stalledSeconds = series.counter("kafka_canary_stalled_seconds_total");
        stalled = series.counter("kafka_canary_stalled_probes_total");
        ignored = series.counter("kafka_canary_ignored_records_total");
        errors = series.counter("kafka_canary_errors_total");
        phaseSource = series.gauge("kafka_canary_phase_source");
        estimateError = series.histogram("kafka_canary_phase_estimate_error_seconds");
        misestimated = series.counter("kafka_canary_misestimated_probes_total");
        unmarked = series.counter("kafka_canary_unmarked_probes_total");
        series.collect(
                points ->
                        profiles.get()
                                .forEach(profile -> new ProfilePoints(profile, points).add()));
    }

    /**
     * The part of one cluster and profile.
     *
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     * @param mirrored whether its probes are read in another cluster
     */
    public ClusterMetrics cluster(String cluster, String profile, boolean mirrored) {
        return new ClusterMetrics(this, cluster, profile, mirrored);
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
