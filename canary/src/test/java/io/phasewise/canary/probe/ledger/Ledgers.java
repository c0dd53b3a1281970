/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.account.Account;
import io.phasewise.canary.account.Accounts;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.split.PhaseEstimator;
import io.phasewise.canary.split.TripReader;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongBinaryOperator;

/** Makes ledgers: a target of 50 ms, late after 5 s, lost after 60 s, unless told otherwise. */
public final class Ledgers {
    private Duration target = Duration.ofMillis(50);
    private Duration deadline = Duration.ofSeconds(5);
    private Duration horizon = Duration.ofSeconds(60);
    private IntFunction<LatencyRecorder> recorders = leader -> new RecordedLatencies();
    private Consumer<Trip> closed = trip -> {};
    private LongBinaryOperator stalled = (from, to) -> 0;

    /** One of which only the counts matter. */
    public static Ledger counting() {
        return new Ledgers().make();
    }

    /** One that tells all its latencies to one recorder, and its phases as they are estimated. */
    public static Ledger of(RecordedLatencies recorder, PhaseEstimator estimator) {
        return new Ledgers()
                .recorders(leader -> recorder)
                .split(trip -> estimator.estimate(trip).estimated(), recorder)
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

    /** The trip of a probe of which nothing was reported. */
    public static Trip trip(Probe probe) {
        return trip(probe, null, null);
    }

    /** A trip that ends; null stands for what was not reported. */
    public static Trip trip(Probe probe, SendResult sent, Delivery back) {
        return probe.trip(sent, back);
    }

    /** Instants with the phases between them, and some account. */
    public static Breakdown split(Instants instants) {
        return Accounts.with(new Breakdown(instants, instants.breakdown()));
    }

    /** All time in one phase. */
    public Ledgers reader(TripReader reader) {
        return split(
                trip -> {
                    long due = trip.dueNanos();
                    return split(new Instants(
                            due, due, due, due, due, trip.delivery().atNanos()));
                },
                reader);
    }

    /** Splits each trip at once that comes back. */
    public Ledgers split(Function<Trip, Breakdown> by, TripReader reader) {
        return closed(trip -> {
            if (trip.back().isPresent()) {
                reader.delivered(trip, by.apply(trip));
            } else {
                reader.undelivered(trip, new Account.Builder().build());
            }
        });
    }

    public Ledgers closed(Consumer<Trip> closed) {
        this.closed = closed;
        return this;
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
        return new Ledger(target, deadline, horizon, recorders, closed, stalled);
    }
}
