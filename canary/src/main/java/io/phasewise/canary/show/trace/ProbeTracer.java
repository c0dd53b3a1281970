/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.trace;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ProbeId;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.Outcome;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.ProbeWitness;
import io.phasewise.canary.probe.ledger.SendResult;
import io.phasewise.canary.show.slow.ProbeJournal;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

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
    private final ProbeJournal.StallCheck stallCheck;
    private final WallTime wallTime;
    private final Consumer<ProbeTrace> traces;
    private final ProbeWitness next;

    /**
     * @param rule says which
     * @param source where the probes belong
     * @param inSync a partition's in-sync replicas; empty when not known
     * @param stallCheck knows when this process was paused
     * @param wallClock dates T0
     * @param nanoClock monotonic nanoseconds
     * @param traces takes the traces
     * @param next sees every probe, too
     */
    ProbeTracer(
            TraceRule rule,
            ProbeTrace.Source source,
            IntFunction<List<Integer>> inSync,
            ProbeJournal.StallCheck stallCheck,
            InstantSource wallClock,
            LongSupplier nanoClock,
            Consumer<ProbeTrace> traces,
            ProbeWitness next) {
        this.rule = rule;
        this.source = source;
        this.inSync = inSync;
        this.stallCheck = stallCheck;
        this.wallTime = new WallTime(wallClock, nanoClock);
        this.traces = traces;
        this.next = next;
    }

    @Override
    public void seen(Probe probe, SendResult sending, Delivery delivery, Breakdown breakdown) {
        next.seen(probe, sending, delivery, breakdown);
        Instants at = breakdown.instants();
        long latency = at.t5() - at.t0();
        if (!rule.takes(probe, latency)) {
            return;
        }
        traces.accept(
                new ProbeTrace(
                        rule.id(probe),
                        ProbeId.of(source.instance(), probe.partition(), probe.sequence()),
                        source,
                        new ProbeTrace.Place(
                                probe.leader(),
                                probe.partition(),
                                delivery.offset(),
                                inSync.apply(probe.partition())),
                        probe.outcome(),
                        rule.slow(latency),
                        wallTime.epochNanos(at.t0()),
                        breakdown,
                        sending == null ? 0 : sending.waitedNanos(),
                        stallCheck.within(at.t0(), at.t5()) > 0));
    }

    @Override
    public void unseen(Probe probe, Outcome outcome, SendResult sending) {
        next.unseen(probe, outcome, sending);
    }
}
