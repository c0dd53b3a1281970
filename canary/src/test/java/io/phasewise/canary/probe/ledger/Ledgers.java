/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.Instants;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongBinaryOperator;

/** Makes ledgers: a target of 50 ms, late after 5 s, lost after 60 s, unless told otherwise. */
public final class Ledgers {
    private Duration target = Duration.ofMillis(50);
    private Duration deadline = Duration.ofSeconds(5);
    private Duration horizon = Duration.ofSeconds(60);
    private IntFunction<LatencyRecorder> recorders = leader -> new RecordedLatencies();
    private Breakdowns breakdowns = Ledgers::undivided;
    private ProbeWitness witness = new ProbeWitness() {};
    private boolean sameLog = true;
    private LongBinaryOperator stalled = (from, to) -> 0;

    /** One of which only the counts matter. */
    public static Ledger counting() {
        return new Ledgers().make();
    }

    /** One that tells all its latencies to one recorder. */
    public static Ledger of(LatencyRecorder recorder, Breakdowns breakdowns) {
        return new Ledgers().recorders(leader -> recorder).breakdowns(breakdowns).make();
    }

    /** Charges all time to one phase. */
    private static void undivided(
            Probe probe,
            Optional<SendResult> sending,
            Delivery delivery,
            Consumer<Breakdown> done) {
        long due = probe.dueNanos();
        Instants instants =
                new Instants(due, due, due, due, due, Math.max(due, delivery.atNanos()));
        done.accept(new Breakdown(instants, instants.breakdown()));
    }

    public Ledgers objective(Duration target, Duration deadline, Duration horizon) {
        this.target = target;
        this.deadline = deadline;
        this.horizon = horizon;
        return this;
    }

    public Ledgers recorders(IntFunction<LatencyRecorder> recorders) {
        this.recorders = recorders;
        return this;
    }

    public Ledgers breakdowns(Breakdowns breakdowns) {
        this.breakdowns = breakdowns;
        return this;
    }

    public Ledgers witness(ProbeWitness witness) {
        this.witness = witness;
        return this;
    }

    /** Probes are read from another log than the one that they were sent to. */
    Ledgers mirrored() {
        sameLog = false;
        return this;
    }

    /** How many nanoseconds the canary itself was stalled between two instants. */
    Ledgers stalled(LongBinaryOperator stalled) {
        this.stalled = stalled;
        return this;
    }

    public Ledger make() {
        return new Ledger(
                target, deadline, horizon, recorders, breakdowns, witness, sameLog, stalled);
    }
}
