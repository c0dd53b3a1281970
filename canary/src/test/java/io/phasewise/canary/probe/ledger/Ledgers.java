/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.Instants;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.function.LongBinaryOperator;

/** Makes ledgers: a target of 50 ms, late after 5 s, lost after 60 s, unless told otherwise. */
public final class Ledgers {
    private Duration target = Duration.ofMillis(50);
    private Duration deadline = Duration.ofSeconds(5);
    private Duration horizon = Duration.ofSeconds(60);
    private IntFunction<LatencyRecorder> recorders = leader -> new RecordedLatencies();
    private Breakdowns breakdowns;
    private ProbeListener listener = new ProbeListener() {};
    private LongBinaryOperator stalled = (from, to) -> 0;

    /** Charges all time to one phase. */
    public Ledgers() {
        instants((due, delivered) -> new Instants(due, due, due, due, due, Math.max(due, delivered)));
    }

    /** One of which only the counts matter. */
    public static Ledger counting() {
        return new Ledgers().make();
    }

    /** One that tells all its latencies to one recorder. */
    public static Ledger of(LatencyRecorder recorder, Breakdowns breakdowns) {
        return new Ledgers()
                .recorders(leader -> recorder)
                .breakdowns(breakdowns)
                .make();
    }

    /** A probe that was dispatched and acknowledged by broker 1 in the same instant. */
    public static SendResult acknowledged(long at, long offset) {
        return new SendResult(List.of(at), at, 1, List.of(), at, 0, offset);
    }

    /** A poll returns a probe that carries no append time. */
    public static void deliver(Ledger ledger, Probe probe, long at, long offset) {
        Delivery delivery = new Delivery(at, Delivery.NO_APPEND_TIME, offset);
        ledger.delivered(probe.partition(), probe.sequence(), delivery);
    }

    /** Instants with the phases between them. */
    public static Breakdown split(Instants instants) {
        return new Breakdown(instants, instants.breakdown());
    }

    /** By when a probe was due and when it was delivered. */
    public Ledgers instants(BiFunction<Long, Long, Instants> at) {
        return breakdowns(
                (probe, sent, delivery, done) -> done.accept(split(at.apply(probe.dueNanos(), delivery.atNanos()))));
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

    public Ledgers listener(ProbeListener listener) {
        this.listener = listener;
        return this;
    }

    /** How many nanoseconds the canary itself was stalled between two instants. */
    Ledgers stalled(LongBinaryOperator stalled) {
        this.stalled = stalled;
        return this;
    }

    /** One in which a broker leads a partition. */
    public Ledger leading(int partition, int broker) {
        Ledger ledger = make();
        ledger.lead(partition, broker);
        return ledger;
    }

    public Ledger make() {
        return new Ledger(target, deadline, horizon, recorders, breakdowns, listener, stalled);
    }
}
