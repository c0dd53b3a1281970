/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.phase.Phase;
import io.phasewise.canary.probe.ProbeCodec;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Registers every series of the canary's own, and hands each cluster its part; what is counted
 * where is left to the rooms that count.
 */
public final class CanaryMetrics {
    private static final String[] CLUSTER = {"cluster", "profile"};
    private static final String[] LEADER = {"cluster", "profile", "leader"};

    private final Histogram endToEnd;
    private final Histogram phase;
    private final Histogram producer;
    private final Histogram consumer;
    private final Counter slowPhase;
    private final Histogram scheduleLag;
    private final Histogram laneWait;
    private final Histogram offsetCommit;
    private final Histogram rebalance;
    private final Counter rebalances;
    private final Histogram hiccup;
    private final Counter stoodStill;
    private final long stallNanos;
    private final Counter stalled;
    private final Counter ignored;
    private final Counter errors;

    /**
     * @param registry where the series go
     * @param sloTargetSeconds the clusters' SLO targets; each becomes a classic bucket boundary
     * @param stall a timer later than this means that the process stood still
     * @param clusters read at every scrape
     * @param everywhere labels that all series carry, beside their own
     */
    public CanaryMetrics(
            PrometheusRegistry registry,
            Collection<Double> sloTargetSeconds,
            Duration stall,
            Supplier<? extends List<? extends ClusterView>> clusters,
            Labels everywhere) {
        stallNanos = stall.toNanos();
        double[] bounds = Buckets.classic(sloTargetSeconds);
        endToEnd =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_end_to_end_latency_seconds",
                        "From when a probe was due to when the consumer's poll() returned it.",
                        LEADER);
        phase =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_phase_latency_seconds",
                        "The same time by phase: produce, publish, commit, catch_up, fetch, and"
                                + " mirror between commit and catch_up where probes are read in"
                                + " another cluster. They sum to the end-to-end latency, probe by"
                                + " probe.",
                        "cluster",
                        "profile",
                        "leader",
                        "phase");
        producer =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_producer_latency_seconds",
                        "From when a probe was due to the leader's acknowledgement. Failed sends"
                                + " have none.",
                        LEADER);
        consumer =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_consumer_latency_seconds",
                        "From a probe's commit to its delivery by poll(): its phases catch_up and"
                                + " fetch.",
                        LEADER);
        slowPhase =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_slow_probes_phase_seconds_total")
                        .help(
                                "Seconds that the probes that missed the SLO target spent in each"
                                    + " phase. Probes that came back only. Shows which phase makes"
                                    + " slow probes slow.")
                        .labelNames("cluster", "profile", "leader", "phase")
                        .register(registry);
        scheduleLag =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_schedule_lag_seconds",
                        "How late the canary itself handed a due probe to the producer.",
                        CLUSTER);
        laneWait =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_lane_wait_seconds",
                        "How long probes waited for a free lane; 0 for those that did not.",
                        CLUSTER);
        offsetCommit =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_offset_commit_latency_seconds",
                        "From asking to commit offsets until the consumer said they were; of"
                                + " consumers in a group.",
                        CLUSTER);
        rebalance =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_rebalance_latency_seconds",
                        "How long a rebalance of the canary's consumer group took, by the"
                                + " consumer's own count.",
                        CLUSTER);
        rebalances =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_rebalances_total")
                        .help("Rebalances of the canary's consumer group, joining it included.")
                        .labelNames(CLUSTER)
                        .register(registry);
        hiccup =
                histogram(
                        registry,
                        everywhere,
                        bounds,
                        "kafka_canary_hiccup_seconds",
                        "How late a timer of 1 ms fired in the canary's process.");
        hiccup.initLabelValues();
        stoodStill =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_stalled_seconds_total")
                        .help(
                                "How long the canary's own process stood still, for longer than 20"
                                        + " ms at a time.")
                        .register(registry);
        stalled =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_stalled_probes_total")
                        .help(
                                "Probes that came back and on whose way the canary's own process"
                                        + " stood still for longer than 20 ms.")
                        .labelNames(LEADER)
                        .register(registry);
        ignored =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_ignored_records_total")
                        .help(
                                "Records read that are no probe of this canary: other_canary (or a"
                                        + " former life of this one), foreign.")
                        .labelNames("cluster", "profile", "reason")
                        .register(registry);
        errors =
                Counter.builder()
                        .constLabels(everywhere)
                        .name("kafka_canary_errors_total")
                        .help(
                                "Failures of the canary's Kafka clients, by the kind Kafka gives;"
                                        + " TooManyInFlightException is the canary's own.")
                        .labelNames("cluster", "profile", "client", "error")
                        .register(registry);
        registry.register(new ClusterCollector(clusters, everywhere));
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
                        "How long the canary's measuring threads were ready to run and waited for a"
                                + " processor, all threads added up. Linux only.")
                .callback(counter -> counter.call(seconds.getAsDouble()))
                .register(registry);
    }

    /**
     * The part of one cluster.
     *
     * @param cluster the {@code cluster} label
     * @param profile the {@code profile} label
     * @param phases that its probes pass
     */
    public ClusterMetrics cluster(String cluster, String profile, List<Phase> phases) {
        for (ProbeCodec.Kind kind : ProbeCodec.Kind.values()) {
            if (kind != ProbeCodec.Kind.OWN) {
                ignored.initLabelValues(cluster, profile, kind.name().toLowerCase(Locale.ROOT));
            }
        }
        return new ClusterMetrics(
                cluster,
                profile,
                phases,
                endToEnd,
                phase,
                producer,
                consumer,
                slowPhase,
                scheduleLag,
                laneWait,
                offsetCommit,
                rebalance,
                rebalances,
                stalled,
                ignored,
                errors);
    }

    /**
     * The canary's timer fired.
     *
     * @param nanos how late
     */
    public void hiccup(long nanos) {
        hiccup.observe(nanos / 1e9);
        if (nanos > stallNanos) {
            stoodStill.inc(nanos / 1e9);
        }
    }

    private static Histogram histogram(
            PrometheusRegistry registry,
            Labels everywhere,
            double[] bounds,
            String name,
            String help,
            String... labels) {
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
}
