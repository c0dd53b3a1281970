/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.metrics;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.PhaseBreakdown;
import io.phasewise.canary.probe.ProbeId;
import io.phasewise.canary.probe.ledger.LatencyRecorder;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.show.series.SeriesRegistry;
import io.phasewise.canary.show.trace.TraceRule;
import io.phasewise.canary.trip.Trip;
import io.phasewise.common.phase.Phase;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.core.datapoints.GaugeDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * Records one leader's latencies, in the exported histograms and in a recent window; each series is
 * looked up once, not per probe.
 */
public final class LeaderRecorder implements LatencyRecorder {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Phase[] PHASES = Phase.values();

    /** A phase: its latency, and what slow probes spend in it. */
    private record PhasePoints(DistributionDataPoint latency, CounterDataPoint slowSeconds) {
        void observe(long nanos, Labels exemplar, boolean slow) {
            double seconds = nanos / NANOS_PER_SECOND;
            if (exemplar == null) {
                latency.observe(seconds);
            } else {
                latency.observeWithExemplar(seconds, exemplar);
            }
            if (slow) {
                slowSeconds.inc(seconds);
            }
        }
    }

    /** How far estimates are off, where the leader reports the phases itself. */
    private record EstimateErrors(
            Map<Phase, DistributionDataPoint> over,
            Map<Phase, DistributionDataPoint> under,
            CounterDataPoint misestimated) {
        static EstimateErrors of(SeriesRegistry series, String[] labels) {
            return new EstimateErrors(
                    points(series, labels, "over"),
                    points(series, labels, "under"),
                    series.counter("kafka_canary_misestimated_probes_total").labelValues(labels));
        }

        /** Without produce, which ends before the leader has the probe. */
        private static Map<Phase, DistributionDataPoint> points(SeriesRegistry series, String[] labels, String sign) {
            Histogram errors = series.histogram("kafka_canary_phase_estimate_error_seconds");
            Map<Phase, DistributionDataPoint> points = new EnumMap<>(Phase.class);
            for (Phase phase : EnumSet.complementOf(EnumSet.of(Phase.PRODUCE))) {
                String[] more = ClusterMetrics.with(labels, phase.label());
                points.put(phase, errors.labelValues(ClusterMetrics.with(more, sign)));
            }
            return points;
        }

        void observe(PhaseBreakdown measured, Breakdown.Marked marked) {
            over.forEach((phase, point) -> {
                long error = marked.estimate().of(phase) - measured.of(phase);
                (error < 0 ? under.get(phase) : point).observe(Math.abs(error) / NANOS_PER_SECOND);
            });
            if (marked.misestimated()) {
                misestimated.inc();
            }
        }
    }

    private final DistributionDataPoint endToEnd;
    private final DistributionDataPoint producer;
    private final DistributionDataPoint consumer;
    private final CounterDataPoint stalledProbes;
    private final PhasePoints[] byPhase = new PhasePoints[PHASES.length];
    private final WaitSeconds waits;

    /** Null until a probe did not come back; guarded by this. */
    private WaitSeconds undelivered;

    private final GaugeDataPoint byBroker;
    private final GaugeDataPoint byEstimate;
    private final SeriesRegistry series;
    private final String[] labels;

    /** Null until the leader has reported something: there are no such series before. */
    private volatile EstimateErrors errors;

    private final RecentWindow window;
    private final LongPredicate stalled;
    private final long targetNanos;
    private final ExemplarPicker exemplars;
    private final long instance;

    /** Null when no probe becomes a trace. */
    private final TraceRule traces;

    /** For the parameters see {@link ClusterMetrics#leader}. */
    LeaderRecorder(
            SeriesRegistry series,
            String[] labels,
            RecentWindow window,
            LongPredicate stalled,
            Duration target,
            long instance,
            TraceRule traces) {
        this.endToEnd =
                series.histogram("kafka_canary_end_to_end_latency_seconds").labelValues(labels);
        this.producer =
                series.histogram("kafka_canary_producer_latency_seconds").labelValues(labels);
        this.consumer =
                series.histogram("kafka_canary_consumer_latency_seconds").labelValues(labels);
        this.stalledProbes = series.counter("kafka_canary_stalled_probes_total").labelValues(labels);
        Histogram latency = series.histogram("kafka_canary_phase_latency_seconds");
        Counter slow = series.counter("kafka_canary_slow_probes_phase_seconds_total");
        for (Phase phase : PHASES) {
            String[] more = ClusterMetrics.with(labels, phase.label());
            byPhase[phase.ordinal()] = new PhasePoints(latency.labelValues(more), slow.labelValues(more));
        }
        this.waits = WaitSeconds.ofPhases(series, labels);
        this.series = series;
        this.labels = labels;
        Gauge source = series.gauge("kafka_canary_phase_source");
        this.byBroker = source.labelValues(ClusterMetrics.with(labels, "broker"));
        this.byEstimate = source.labelValues(ClusterMetrics.with(labels, "estimate"));
        this.window = window;
        this.stalled = stalled;
        this.targetNanos = target.toNanos();
        this.exemplars = new ExemplarPicker(target);
        this.instance = instance;
        this.traces = traces;
    }

    @Override
    public void endToEnd(Probe probe, long nanos) {
        boolean eligible = traces == null || traces.takes(probe.partition(), probe.sequence(), nanos);
        if (eligible && exemplars.picks(nanos, probe.dueNanos() + nanos)) {
            probe.makeExemplar();
            endToEnd.observeWithExemplar(nanos / NANOS_PER_SECOND, exemplar(probe.partition(), probe.sequence()));
        } else {
            endToEnd.observe(nanos / NANOS_PER_SECOND);
        }
        window.record(nanos);
        if (stalled.test(nanos)) {
            stalledProbes.inc();
        }
    }

    @Override
    public void producer(long nanos) {
        producer.observe(nanos / NANOS_PER_SECOND);
    }

    /**
     * Takes the phases of a trip that came back, once for each.
     *
     * @param split with phases that sum to its latency, and whose time they were
     */
    public void phases(Trip trip, Breakdown split) {
        PhaseBreakdown breakdown = split.phases();
        boolean slow = breakdown.total() > targetNanos;
        Labels exemplar = trip.exemplar() ? exemplar(trip.partition(), trip.sequence()) : null;
        for (Phase phase : PHASES) {
            byPhase[phase.ordinal()].observe(breakdown.of(phase), exemplar, slow);
        }
        consumer.observe((breakdown.catchUp() + breakdown.fetch()) / NANOS_PER_SECOND);
        waits.add(split.account(), split.instants().t5());
        window.record(breakdown);
        byBroker.set(split.marked().isPresent() ? 1 : 0);
        byEstimate.set(split.marked().isPresent() ? 0 : 1);
        split.marked().ifPresent(marked -> estimateErrors().observe(breakdown, marked));
    }

    /**
     * Takes the wait of a probe that did not come back.
     *
     * @param wait whose time it was until its deadline
     * @param now monotonic nanoseconds
     */
    public synchronized void undelivered(Account wait, long now) {
        undelivered = undelivered == null ? WaitSeconds.ofUndelivered(series, labels) : undelivered;
        undelivered.add(wait, now);
    }

    /**
     * Ends series of whom nobody waits for any more.
     *
     * @param now monotonic nanoseconds
     */
    public synchronized void dropIdle(long now) {
        waits.dropIdle(now);
        if (undelivered != null) {
            undelivered.dropIdle(now);
        }
    }

    private EstimateErrors estimateErrors() {
        if (errors == null) {
            errors = EstimateErrors.of(series, labels);
        }
        return errors;
    }

    private Labels exemplar(int partition, long sequence) {
        String id = ProbeId.of(instance, partition, sequence);
        return traces == null
                ? Labels.of("probe_id", id)
                : Labels.of(
                        "probe_id",
                        id,
                        "trace_id",
                        traces.id(partition, sequence).toString());
    }
}
