/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.phases.Instants;
import io.phasewise.canary.trip.Delivery;
import io.phasewise.canary.trip.OpenProbe;
import io.phasewise.canary.trip.Outcome;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.util.Optional;

/**
 * One scheduled probe; its state is the {@link Ledger}'s business and is guarded by the ledger's
 * lock.
 *
 * <p>Senders hold on to it from scheduling to acknowledgement, so that an acknowledgement needs no
 * lookup.
 */
public final class Probe {
    final LeaderAccount leader;
    final int partition;
    final long sequence;
    final long dueNanos;

    /** Null while in flight. */
    Outcome outcome;

    /** Whether it was seen after it had ended as lost or send_failed. */
    boolean resurfaced;

    /** Whether it was overdue while in flight. */
    boolean overdue;

    /** Whether it has its SLO verdict. */
    boolean judged;

    /** What the producer reported; null until then, and once its trip is closed. */
    SendResult sent;

    /** The delivery that was observed end to end; null until then, and once its trip is closed. */
    Delivery delivery;

    /** Whether it came back and that trip was closed. */
    boolean closed;

    /** The highest offset of its partition that was acknowledged before it was scheduled, or -1. */
    final long acknowledgedBefore;

    private boolean exemplar;

    /** When a Kafka producer had it; unknown until then. Written by one thread at a time, without the lock. */
    private volatile long handedOver = Instants.UNKNOWN;

    Probe(LeaderAccount leader, int partition, long sequence, long dueNanos, long acknowledgedBefore) {
        this.leader = leader;
        this.partition = partition;
        this.sequence = sequence;
        this.dueNanos = dueNanos;
        this.acknowledgedBefore = acknowledgedBefore;
    }

    /** Stands for any probe of a leader that was delivered, and of which nothing else matters. */
    static Probe deliveredBefore(LeaderAccount leader) {
        Probe probe = new Probe(leader, -1, -1, 0, -1);
        probe.outcome = Outcome.DELIVERED;
        probe.judged = true;
        probe.closed = true;
        return probe;
    }

    /** Whether nothing but a duplicate can come of it any more. */
    boolean isFinished() {
        return closed && (outcome == Outcome.DELIVERED || outcome == Outcome.LATE);
    }

    /** The partition it goes to. */
    public int partition() {
        return partition;
    }

    /** Its number within the partition, from 0. */
    public long sequence() {
        return sequence;
    }

    /** When it was due (T0), monotonic nanoseconds. */
    public long dueNanos() {
        return dueNanos;
    }

    /** Broker id of the partition's leader when the probe was scheduled. */
    public int leader() {
        return leader.id;
    }

    /** Has its phases carry its id as an exemplar, as its end-to-end latency does. */
    public void makeExemplar() {
        exemplar = true;
    }

    /**
     * Notes that it is handed to a Kafka producer.
     *
     * @param now monotonic nanoseconds
     */
    public void handedOver(long now) {
        handedOver = now;
    }

    /** What is known of it while it has not come back. */
    OpenProbe open() {
        return new OpenProbe(partition, leader.id, dueNanos, handedOver, Optional.ofNullable(sent));
    }

    /** The trip that ends now; null stands for what was not reported. */
    Trip trip(SendResult sent, Delivery back) {
        return new Trip(
                partition,
                sequence,
                leader.id,
                dueNanos,
                outcome,
                Optional.ofNullable(sent),
                Optional.ofNullable(back),
                exemplar);
    }
}
