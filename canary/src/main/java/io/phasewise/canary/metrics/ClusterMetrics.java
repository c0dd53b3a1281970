/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.ledger.LatencyRecorder;
import io.phasewise.canary.ledger.Probe;
import io.phasewise.canary.phase.Phase;
import io.phasewise.canary.phase.PhaseBreakdown;
import io.phasewise.canary.probe.ProbeCodec;
import io.phasewise.canary.probe.ProbeId;
import io.phasewise.canary.trace.TraceRule;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;

/**
 * The series of one cluster and profile; a label set is looked up once, not per probe. Thread-safe.
 */
public final class ClusterMetrics {
    private static final double NANOS_PER_SECOND = 1e9;

    private final String cluster;
    private final String profile;
    private final Phase[] phases;
    private final Histogram endToEnd;
    private final Histogram phase;
    private final Histogram producer;
    private final Histogram consumer;
    private final Counter slowPhase;
    private final DistributionDataPoint scheduleLag;
    private final DistributionDataPoint laneWait;
    private final Histogram offsetCommit;
    private final Histogram rebalance;
    private final Counter rebalances;
    private final Counter stalled;
    private final CounterDataPoint otherCanary;
    private final CounterDataPoint foreign;
    private final Counter errors;

    ClusterMetrics(
            String cluster,
            String profile,
            List<Phase> phases,
            Histogram endToEnd,
            Histogram phase,
            Histogram producer,
            Histogram consumer,
            Counter slowPhase,
            Histogram scheduleLag,
            Histogram laneWait,
            Histogram offsetCommit,
            Histogram rebalance,
            Counter rebalances,
            Counter stalled,
            Counter ignored,
            Counter errors) {
        this.cluster = cluster;
        this.profile = profile;
        this.phases = phases.toArray(Phase[]::new);
        this.endToEnd = endToEnd;
        this.phase = phase;
        this.producer = producer;
        this.consumer = consumer;
        this.slowPhase = slowPhase;
        this.scheduleLag = scheduleLag.labelValues(cluster, profile);
        this.laneWait = laneWait.labelValues(cluster, profile);
        this.offsetCommit = offsetCommit;
        this.rebalance = rebalance;
        this.rebalances = rebalances;
        this.stalled = stalled;
        this.otherCanary =
                ignored.labelValues(cluster, profile, label(ProbeCodec.Kind.OTHER_CANARY));
        this.foreign = ignored.labelValues(cluster, profile, label(ProbeCodec.Kind.FOREIGN));
        this.errors = errors;
    }

    /**
     * Records one leader's latencies, in the exported histograms and in a recent window.
     *
     * @param leader broker id
     * @param window the same figures for the status page
     * @param stalled says of a latency that ends now whether the canary stood still within it
     * @param target probes that took longer are shown as exemplars first, and the time that they
     *     spend in each phase is counted
     * @param instance of the canary that sends the probes, part of their ids
     */
    public LatencyRecorder leader(
            int leader,
            RecentWindow window,
            LongPredicate stalled,
            Duration target,
            long instance) {
        return leader(leader, window, stalled, target, instance, null);
    }

    /**
     * As {@link #leader(int, RecentWindow, LongPredicate, Duration, long)}, where probes become
     * traces: then only those are shown as exemplars, with the name of the trace, so that each
     * leads to one.
     *
     * @param traces says which probes do; null when none
     */
    public LatencyRecorder leader(
            int leader,
            RecentWindow window,
            LongPredicate stalled,
            Duration target,
            long instance,
            TraceRule traces) {
        String id = String.valueOf(leader);
        DistributionDataPoint ends = endToEnd.labelValues(cluster, profile, id);
        DistributionDataPoint acks = producer.labelValues(cluster, profile, id);
        CounterDataPoint stalls = this.stalled.labelValues(cluster, profile, id);
        DistributionDataPoint reads = consumer.labelValues(cluster, profile, id);
        DistributionDataPoint[] parts = new DistributionDataPoint[phases.length];
        CounterDataPoint[] slowParts = new CounterDataPoint[phases.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = phase.labelValues(cluster, profile, id, phases[i].label());
            slowParts[i] = slowPhase.labelValues(cluster, profile, id, phases[i].label());
        }
        ExemplarPicker exemplars = new ExemplarPicker(target);
        long targetNanos = target.toNanos();
        return new LatencyRecorder() {
            @Override
            public void endToEnd(Probe probe, long nanos) {
                boolean eligible = traces == null || traces.takes(probe, nanos);
                if (eligible && exemplars.picks(nanos, probe.dueNanos() + nanos)) {
                    probe.pick();
                    ends.observeWithExemplar(
                            nanos / NANOS_PER_SECOND, exemplar(probe, instance, traces));
                } else {
                    ends.observe(nanos / NANOS_PER_SECOND);
                }
                window.record(nanos);
                if (stalled.test(nanos)) {
                    stalls.inc();
                }
            }

            @Override
            public void producer(long nanos) {
                acks.observe(nanos / NANOS_PER_SECOND);
            }

            @Override
            public void phases(Probe probe, PhaseBreakdown breakdown) {
                boolean slow = breakdown.total() > targetNanos;
                Labels exemplar = probe.picked() ? exemplar(probe, instance, traces) : null;
                for (int i = 0; i < parts.length; i++) {
                    double seconds = breakdown.of(phases[i]) / NANOS_PER_SECOND;
                    if (exemplar == null) {
                        parts[i].observe(seconds);
                    } else {
                        parts[i].observeWithExemplar(seconds, exemplar);
                    }
                    if (slow) {
                        slowParts[i].inc(seconds);
                    }
                }
                reads.observe((breakdown.catchUp() + breakdown.fetch()) / NANOS_PER_SECOND);
                window.record(breakdown);
            }
        };
    }

    /**
     * A probe was given a lane.
     *
     * @param nanos how long it had waited for it
     */
    public void laneWait(long nanos) {
        laneWait.observe(nanos / NANOS_PER_SECOND);
    }

    /** The consumer is a member of a group: its series exist from now on, at zero. */
    public void joinsGroup() {
        offsetCommit.initLabelValues(cluster, profile);
        rebalance.initLabelValues(cluster, profile);
        rebalances.initLabelValues(cluster, profile);
    }

    /**
     * Offsets were committed.
     *
     * @param nanos how long it took
     */
    public void committed(long nanos) {
        offsetCommit.labelValues(cluster, profile).observe(nanos / NANOS_PER_SECOND);
    }

    /**
     * A rebalance is over.
     *
     * @param nanos how long it took
     */
    public void rebalanced(long nanos) {
        rebalances.labelValues(cluster, profile).inc();
        rebalance.labelValues(cluster, profile).observe(nanos / NANOS_PER_SECOND);
    }

    /**
     * A probe was handed to the producer.
     *
     * @param nanos how long after it was due
     */
    public void scheduleLag(long nanos) {
        scheduleLag.observe(nanos / NANOS_PER_SECOND);
    }

    /**
     * A record was no probe of this canary.
     *
     * @param kind whose it is
     */
    public void ignored(ProbeCodec.Kind kind) {
        (kind == ProbeCodec.Kind.OTHER_CANARY ? otherCanary : foreign).inc();
    }

    /**
     * A Kafka client, or a thread of the canary's own, failed at something.
     *
     * @param client producer, consumer or admin; or the thread: scheduler, reader, pinger, keeper,
     *     ticker, hiccups
     * @param failure what it threw
     */
    public void error(String client, Throwable failure) {
        errors.labelValues(cluster, profile, client, failure.getClass().getSimpleName()).inc();
    }

    private static Labels exemplar(Probe probe, long instance, TraceRule traces) {
        String id = ProbeId.of(instance, probe.partition(), probe.sequence());
        return traces == null
                ? Labels.of("probe_id", id)
                : Labels.of("probe_id", id, "trace_id", traces.id(probe).toString());
    }

    private static String label(ProbeCodec.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
