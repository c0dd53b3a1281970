/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.phase.Role;
import java.util.function.LongBinaryOperator;

/**
 * What the canary itself knows of the way of a probe that came back. Instants are nanoseconds of one clock, the leader's
 * where its marks are known, in order from {@link #due} to {@link #delivered}. For one thread; used again for the next
 * probe, of which everything is said anew.
 */
public final class Way {
    private final long lingerNanos;
    private final LongBinaryOperator stalled;

    private int leader;
    private long delayNanos;
    private int fetchedFrom;
    private long fetchDelayNanos;
    private int former;
    private Role formerRole;
    private long ahead;
    private long due;
    private long handedOver;
    private long laneNanos;
    private long dispatched;
    private long carried;
    private long appended;
    private long committed;
    private long reached;
    private long delivered;

    /**
     * @param lingerNanos how long producers wait for more records
     * @param stalled how long the canary's process was paused between two instants of its own clock
     */
    public Way(long lingerNanos, LongBinaryOperator stalled) {
        this.lingerNanos = lingerNanos;
        this.stalled = stalled;
    }

    /**
     * Which broker took the record.
     *
     * @param oneWayNanos what a way between it and the canary takes at least
     */
    public Way to(int broker, long oneWayNanos) {
        leader = broker;
        delayNanos = oneWayNanos;
        return this;
    }

    /** Which broker it was read from, and the same of it. */
    public Way readFrom(int broker, long oneWayNanos) {
        fetchedFrom = broker;
        fetchDelayNanos = oneWayNanos;
        return this;
    }

    /**
     * Which broker led when the probe was due.
     *
     * @param role what it waited for before another one took it: {@link Role#PROCESS} of a broker that is gone, {@link
     *     Role#CONTROLLER} where that one is still there, {@link Role#UNKNOWN} where nobody knows; {@link Role#CLIENT}
     *     where the same broker took it
     */
    public Way dueTo(int broker, Role role) {
        former = role == Role.CONTROLLER ? Account.NO_BROKER : broker; // which one that is nobody knows
        formerRole = role;
        return this;
    }

    /**
     * By which clock its instants are; the instants below are handed in by the canary's.
     *
     * @param nanos how far that clock is ahead of the canary's
     */
    public Way by(long nanos) {
        ahead = nanos;
        return this;
    }

    /**
     * Until it left.
     *
     * @param t0 due
     * @param given when a Kafka producer had it, in [T0, T1]
     * @param unseenNanos how long it waited for a producer, and it is not known behind whom
     * @param t1 dispatched
     * @param last when the request left that carried it in the end
     */
    public Way out(long t0, long given, long unseenNanos, long t1, long last) {
        due = t0 + ahead;
        handedOver = given + ahead;
        laneNanos = unseenNanos;
        dispatched = t1 + ahead;
        carried = last + ahead;
        return this;
    }

    /** T2 to T5. */
    public Way back(long t2, long t3, long t4, long t5) {
        appended = t2 + ahead;
        committed = t3 + ahead;
        reached = t4 + ahead;
        delivered = t5 + ahead;
        return this;
    }

    /** How long the canary's process was paused between two instants. */
    long stalledNanos(long from, long to) {
        return stalled.applyAsLong(from - ahead, to - ahead);
    }

    /** Whether another broker took it than the one that led when it was due. */
    boolean isMoved() {
        return formerRole != Role.CLIENT;
    }

    public int leader() {
        return leader;
    }

    public int fetchedFrom() {
        return fetchedFrom;
    }

    int former() {
        return former;
    }

    Role formerRole() {
        return formerRole;
    }

    long due() {
        return due;
    }

    long handedOver() {
        return handedOver;
    }

    long laneNanos() {
        return laneNanos;
    }

    long dispatched() {
        return dispatched;
    }

    long carried() {
        return carried;
    }

    long appended() {
        return appended;
    }

    long committed() {
        return committed;
    }

    long reached() {
        return reached;
    }

    long delivered() {
        return delivered;
    }

    long lingerNanos() {
        return lingerNanos;
    }

    long delayNanos() {
        return delayNanos;
    }

    long fetchDelayNanos() {
        return fetchDelayNanos;
    }
}
