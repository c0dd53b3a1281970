/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.show.slow.ProbeSource;
import io.phasewise.canary.split.TripReader;
import io.phasewise.canary.trip.Trip;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hands over the probes of one cluster and profile that become a trace; which they are is left to
 * {@link TraceRule}, the sending to others.
 *
 * <p>Probes that never came back have no phases and become no trace; the journal has them.
 */
public final class ProbeTracer implements TripReader {
    private final TraceRule rule;
    private final ProbeSource source;
    private final Consumer<ProbeTrace> traces;

    /** By partition, at the last look at the cluster. */
    private volatile Map<Integer, List<Integer>> inSync = Map.of();

    /**
     * @param rule says which
     * @param source whose probes they are
     * @param traces takes the traces
     */
    ProbeTracer(TraceRule rule, ProbeSource source, Consumer<ProbeTrace> traces) {
        this.rule = rule;
        this.source = source;
        this.traces = traces;
    }

    /** Which probes become a trace. */
    public TraceRule rule() {
        return rule;
    }

    /** Sets the in-sync replicas, by partition. */
    public void inSync(Map<Integer, List<Integer>> replicas) {
        inSync = Map.copyOf(replicas);
    }

    @Override
    public void delivered(Trip trip, Breakdown breakdown) {
        long latency = trip.latencyNanos();
        if (rule.takes(trip.partition(), trip.sequence(), latency)) {
            traces.accept(new ProbeTrace(
                    rule.id(trip.partition(), trip.sequence()),
                    source.delivered(trip, breakdown),
                    inSync.getOrDefault(trip.partition(), List.of()),
                    rule.slow(latency)));
        }
    }
}
