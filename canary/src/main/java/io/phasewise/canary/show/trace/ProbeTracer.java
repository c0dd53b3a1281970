/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.ProbeListener;
import io.phasewise.canary.probe.ledger.SendResult;
import io.phasewise.canary.show.slow.ProbeReports;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hands over the probes of one cluster and profile that become a trace, and lets another listener
 * see all of them; which they are is left to {@link TraceRule}, the sending to others. Thread-safe.
 *
 * <p>Probes that never came back have no phases and become no trace; the journal has them.
 */
public final class ProbeTracer implements ProbeListener {
    private final TraceRule rule;
    private final ProbeTrace.Source source;
    private final ProbeReports reports;
    private final Consumer<ProbeTrace> traces;
    private final ProbeListener next;

    /** By partition, at the last look at the cluster. */
    private volatile Map<Integer, List<Integer>> inSync = Map.of();

    /**
     * @param rule says which
     * @param source where the probes belong
     * @param reports says what is known of a probe
     * @param traces takes the traces
     * @param next sees every probe, too
     */
    ProbeTracer(
            TraceRule rule,
            ProbeTrace.Source source,
            ProbeReports reports,
            Consumer<ProbeTrace> traces,
            ProbeListener next) {
        this.rule = rule;
        this.source = source;
        this.reports = reports;
        this.traces = traces;
        this.next = next;
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
    public void delivered(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {
        next.delivered(probe, sending, delivery, breakdown);
        long latency = delivery.atNanos() - probe.dueNanos();
        if (rule.takes(probe, latency)) {
            traces.accept(new ProbeTrace(
                    rule.id(probe),
                    reports.delivered(probe, sending, delivery, breakdown),
                    source,
                    inSync.getOrDefault(probe.partition(), List.of()),
                    rule.slow(latency)));
        }
    }

    @Override
    public void undelivered(Probe probe, Outcome outcome, SendResult sending) {
        next.undelivered(probe, outcome, sending);
    }
}
