/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.metrics;

import io.phasewise.canary.ledger.LatencyRecorder;
import io.phasewise.canary.ledger.Probe;
import io.phasewise.canary.phase.PhaseBreakdown;
import io.phasewise.canary.probe.ProbeId;
import io.phasewise.canary.trace.TraceRule;
import io.phasewise.common.phase.Phase;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Records one leader's latencies, in the exported histograms and in a recent window; each series is
 * looked up once, not per probe.
 */
final class LeaderRecorder implements LatencyRecorder {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Phase[] phases;
    private final DistributionDataPoint endToEnd;
    private final DistributionDataPoint producer;
    private final DistributionDataPoint consumer;
    private final CounterDataPoint stalledProbes;
    private final DistributionDataPoint[] byPhase;
    private final CounterDataPoint[] slowByPhase;
    private final RecentWindow window;
    private final LongPredicate stalled;
    private final long targetNanos;
    private final ExemplarPicker exemplars;
    private final long instance;

    /** Null when no probe becomes a trace. */
    private final TraceRule traces;

    /** For the parameters see {@link ClusterMetrics#leader}. */
    LeaderRecorder(
            CanaryMetrics all,
            List<Phase> path,
            String[] labels,
            RecentWindow window,
            LongPredicate stalled,
            Duration target,
            long instance,
            TraceRule traces) {
        this.phases = path.toArray(Phase[]::new);
        this.endToEnd = all.endToEnd.labelValues(labels);
        this.producer = all.producer.labelValues(labels);
        this.consumer = all.consumer.labelValues(labels);
        this.stalledProbes = all.stalled.labelValues(labels);
        this.byPhase = new DistributionDataPoint[phases.length];
        this.slowByPhase = new CounterDataPoint[phases.length];
        for (int i = 0; i < phases.length; i++) {
            String[] more = ClusterMetrics.with(labels, phases[i].label());
            byPhase[i] = all.phase.labelValues(more);
            slowByPhase[i] = all.slowPhase.labelValues(more);
        }
        this.window = window;
        this.stalled = stalled;
        this.targetNanos = target.toNanos();
        this.exemplars = new ExemplarPicker(target);
        this.instance = instance;
        this.traces = traces;
    }

    @Override
    public void endToEnd(Probe probe, long nanos) {
        boolean eligible = traces == null || traces.takes(probe, nanos);
        if (eligible && exemplars.picks(nanos, probe.dueNanos() + nanos)) {
            probe.pick();
            endToEnd.observeWithExemplar(nanos / NANOS_PER_SECOND, exemplar(probe));
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

    @Override
    public void phases(Probe probe, PhaseBreakdown breakdown) {
        boolean slow = breakdown.total() > targetNanos;
        Labels exemplar = probe.picked() ? exemplar(probe) : null;
        for (int i = 0; i < phases.length; i++) {
            double seconds = breakdown.of(phases[i]) / NANOS_PER_SECOND;
            if (exemplar == null) {
                byPhase[i].observe(seconds);
            } else {
                byPhase[i].observeWithExemplar(seconds, exemplar);
            }
            if (slow) {
                slowByPhase[i].inc(seconds);
            }
        }
        consumer.observe((breakdown.catchUp() + breakdown.fetch()) / NANOS_PER_SECOND);
        window.record(breakdown);
    }

    private Labels exemplar(Probe probe) {
        String id = ProbeId.of(instance, probe.partition(), probe.sequence());
        return traces == null
                ? Labels.of("probe_id", id)
                : Labels.of("probe_id", id, "trace_id", traces.id(probe).toString());
    }
}
