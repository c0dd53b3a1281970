/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.ProbeWitness;
import io.phasewise.canary.probe.ledger.SendResult;
import io.phasewise.canary.show.slow.ProbeReports;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Hands over the probes of one cluster and profile that become a trace, and lets another witness
 * see all of them; which they are is left to {@link TraceRule}, the sending to others. Thread-safe.
 *
 * <p>Probes that never came back have no phases and become no trace; the journal has them.
 */
final class ProbeTracer implements ProbeWitness {
    private final TraceRule rule;
    private final ProbeTrace.Source source;
    private final IntFunction<List<Integer>> inSync;
    private final ProbeReports reports;
    private final Consumer<ProbeTrace> traces;
    private final ProbeWitness next;

    /**
     * @param rule says which
     * @param source where the probes belong
     * @param inSync a partition's in-sync replicas; empty when not known
     * @param reports says what is known of a probe
     * @param traces takes the traces
     * @param next sees every probe, too
     */
    ProbeTracer(
            TraceRule rule,
            ProbeTrace.Source source,
            IntFunction<List<Integer>> inSync,
            ProbeReports reports,
            Consumer<ProbeTrace> traces,
            ProbeWitness next) {
        this.rule = rule;
        this.source = source;
        this.inSync = inSync;
        this.reports = reports;
        this.traces = traces;
        this.next = next;
    }

    @Override
    public void seen(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {
        next.seen(probe, sending, delivery, breakdown);
        long latency = delivery.atNanos() - probe.dueNanos();
        if (rule.takes(probe, latency)) {
            traces.accept(
                    new ProbeTrace(
                            rule.id(probe),
                            reports.seen(probe, sending, delivery, breakdown),
                            source,
                            inSync.apply(probe.partition()),
                            rule.slow(latency)));
        }
    }

    @Override
    public void unseen(Probe probe, Outcome outcome, SendResult sending) {
        next.unseen(probe, outcome, sending);
    }
}
