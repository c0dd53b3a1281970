/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.show.status.ProfileSnapshot;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Registers every series of the canary's own, and hands each cluster its part; what is counted
 * where is left to the rooms that count.
 */
public final class CanaryMetrics {
    private static final String[] CLUSTER = {"cluster", "profile"};
    private static final String[] LEADER = {"cluster", "profile", "leader"};
    private static final String[] PHASE = {"cluster", "profile", "leader", "phase"};

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

    /** Registers series that all have the same bounds and labels. */
    private record Maker(PrometheusRegistry registry, Labels everywhere, double[] bounds) {
        Histogram histogram(String name, String help, String... labels) {
            return Histogram.builder()
                    .constLabels(everywhere)
                    .name(name)
                    .help(help)
                    .labelNames(labels)
                    .classicUpperBounds(bounds)
                    .nativeInitialSchema(Buckets.NATIVE_SCHEMA)
                    .nativeMaxNumberOfBuckets(Buckets.NATIVE_LIMIT)
                    .nativeMinZeroThreshold(Buckets.NATIVE_ZERO_SECONDS)
                    .nativeMaxZeroThreshold(Buckets.NATIVE_ZERO_SECONDS)
                    .register(registry);
        }

        Counter counter(String name, String help, String... labels) {
            return Counter.builder()
                    .constLabels(everywhere)
                    .name(name)
                    .help(help)
                    .labelNames(labels)
                    .register(registry);
        }
    }

    /**
     * @param registry where the series go
     * @param sloTargetSeconds the clusters' SLO targets; each becomes a classic bucket boundary
     * @param stall a timer later than this means that the process was stalled
     * @param profiles read at every scrape
     * @param everywhere labels that all series carry, beside their own
     */
    public CanaryMetrics(
            PrometheusRegistry registry,
            Collection<Double> sloTargetSeconds,
            Duration stall,
            Supplier<List<ProfileSnapshot>> profiles,
            Labels everywhere) {
        stallNanos = stall.toNanos();
        Maker make = new Maker(registry, everywhere, Buckets.classic(sloTargetSeconds));
        endToEnd =
                make.histogram(
                        "kafka_canary_end_to_end_latency_seconds",
                        "End-to-end latency: from when a probe was due until the consumer's poll()"
                                + " returned it.",
                        LEADER);
        phase =
                make.histogram(
                        "kafka_canary_phase_latency_seconds",
                        "End-to-end latency by phase: produce, publish, commit, catch_up, fetch."
                            + " The phases of a probe sum to its end-to-end latency, in a mirrored"
                            + " profile together with the time in the mirror.",
                        PHASE);
        mirror =
                make.histogram(
                        "kafka_canary_mirror_latency_seconds",
                        "Time in the mirror: from a probe's commit in the cluster that it is sent"
                                + " to until its append in the cluster that it is read in. Mirrored"
                                + " profiles only.",
                        LEADER);
        producer =
                make.histogram(
                        "kafka_canary_producer_latency_seconds",
                        "Producer latency: from when a probe was due until the leader acknowledged"
                                + " it. Failed sends have none.",
                        LEADER);
        consumer =
                make.histogram(
                        "kafka_canary_consumer_latency_seconds",
                        "Consumer latency: from a probe's commit until poll() returned it, which is"
                                + " catch_up and fetch together.",
                        LEADER);
        slowPhase =
                make.counter(
                        "kafka_canary_slow_probes_phase_seconds_total",
                        "Seconds that slow probes (over the SLO target) spent in each phase. Shows"
                                + " which phase makes them slow. Lost probes are not in it.",
                        PHASE);
        slowMirror =
                make.counter(
                        "kafka_canary_slow_probes_mirror_seconds_total",
                        "Seconds that slow probes (over the SLO target) spent in the mirror."
                                + " Mirrored profiles only.",
                        LEADER);
        scheduleLag =
                make.histogram(
                        "kafka_canary_schedule_lag_seconds",
                        "How late the canary handed a due probe to the producer.",
                        CLUSTER);
        laneWait =
                make.histogram(
                        "kafka_canary_lane_wait_seconds",
                        "How long a probe waited for a free producer (lane). 0 for those that did"
                                + " not wait.",
                        CLUSTER);
        offsetCommit =
                make.histogram(
                        "kafka_canary_offset_commit_latency_seconds",
                        "Latency of offset commits, from request to completion. Profiles with a"
                                + " consumer group only.",
                        CLUSTER);
        rebalance =
                make.histogram(
                        "kafka_canary_rebalance_latency_seconds",
                        "Duration of rebalances of the canary's consumer group, as its consumer"
                                + " measures them.",
                        CLUSTER);
        rebalances =
                make.counter(
                        "kafka_canary_rebalances_total",
                        "Rebalances of the canary's consumer group, joining it included.",
                        CLUSTER);
        hiccup =
                make.histogram(
                        "kafka_canary_hiccup_seconds",
                        "How late a 1 ms timer fired in the canary's process.");
        hiccup.initLabelValues();
        stalledSeconds =
                make.counter(
                        "kafka_canary_stalled_seconds_total",
                        "Time that the canary's own process was paused, in pauses of more than 20"
                                + " ms.");
        stalled =
                make.counter(
                        "kafka_canary_stalled_probes_total",
                        "Probes that came back and met a pause of the canary's own process of more"
                                + " than 20 ms. Most are not bad because of it: see"
                                + " kafka_canary_stalled_bad_probes_total.",
                        LEADER);
        ignored =
                make.counter(
                        "kafka_canary_ignored_records_total",
                        "Records read that are no probe of this canary, by reason: other_canary"
                                + " (another canary, or this one before a restart), foreign.",
                        "cluster",
                        "profile",
                        "reason");
        errors =
                make.counter(
                        "kafka_canary_errors_total",
                        "Failures of the canary's Kafka clients, by exception, and faults of its"
                            + " own threads (scheduler, reader, pinger, keeper, ticker, mirror,"
                            + " metrics, hiccups), which continue. What all profiles of a cluster"
                            + " share counts in each. TooManyInFlightException and"
                            + " PartitionNotOpenException are the canary's own.",
                        "cluster",
                        "profile",
                        "client",
                        "error");
        phaseSource =
                Gauge.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_phase_source")
                        .help(
                                "Source of the phases of a leader's last probe: 1 for broker, where"
                                        + " the leader's exporter reports when it appended and"
                                        + " committed the probe, or for estimate.")
                        .labelNames("cluster", "profile", "leader", "source")
                        .register(registry);
        estimateError =
                Histogram.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_phase_estimate_error_seconds")
                        .help(
                                "Absolute error of a phase's estimate against the broker's own"
                                    + " figure, for probes that have both, by sign: over, under.")
                        .labelNames("cluster", "profile", "leader", "phase", "sign")
                        .nativeOnly()
                        .nativeInitialSchema(Buckets.NATIVE_SCHEMA)
                        .nativeMaxNumberOfBuckets(Buckets.NATIVE_LIMIT)
                        .register(registry);
        misestimated =
                make.counter(
                        "kafka_canary_misestimated_probes_total",
                        "Probes that the broker reports as appended earlier or later than the"
                                + " canary's estimate allows.",
                        "cluster",
                        "profile",
                        "leader");
        unmarked =
                make.counter(
                        "kafka_canary_unmarked_probes_total",
                        "Probes whose phases are estimates although an exporter is configured, by"
                            + " reason: no_answer (of the exporter), no_mark (of the probe, within"
                            + " 5 s).",
                        "cluster",
                        "profile",
                        "leader",
                        "reason");
        registry.register(new ClusterCollector(profiles, everywhere));
    }

    /**
     * Exports how long the measuring threads waited for a processor.
     *
     * @param registry where the series goes
     * @param seconds read at every scrape; never less than before
     * @param everywhere labels that all series carry, beside their own
     */
    public static void runQueueWait(
            PrometheusRegistry registry, DoubleSupplier seconds, Labels everywhere) {
        CounterWithCallback.builder()
                .constLabels(everywhere)
                .name("kafka_canary_run_queue_wait_seconds_total")
                .help(
                        "Time that the canary's measuring threads were ready to run and waited for"
                                + " a processor, all threads added up. Linux only.")
                .callback(counter -> counter.call(seconds.getAsDouble()))
                .register(registry);
    }

    /**
     * Counts changed files of the endpoint that could not be used.
     *
     * @param registry where the series goes
     * @param everywhere labels that all series carry, beside their own
     */
    public static Counter reloadErrors(PrometheusRegistry registry, Labels everywhere) {
        return Counter.builder()
                .constLabels(everywhere)
                .name("kafka_canary_http_reload_errors_total")
                .help(
                        "Changed files of the canary's endpoint that could not be used, by kind:"
                            + " tls, password. The earlier content stays in use. Endpoints with TLS"
                            + " or a password only.")
                .labelNames("kind")
                .register(registry);
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
