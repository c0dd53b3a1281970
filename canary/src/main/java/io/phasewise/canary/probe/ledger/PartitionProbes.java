/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.trip.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The probes of one partition that may still matter, found by sequence number in constant time;
 * what happens to them is left to {@link Ledger}, whose lock guards this.
 *
 * <p>Probes sit in a ring that covers [tail, next). The tail moves up as the oldest probes pass the
 * loss horizon, so the ring holds at most rate times horizon probes, delivered ones included: they
 * are what a duplicate is recognised by. Once the deadline has passed, all of one leader's that came
 * back, and whose trips are closed, are the same object: only duplicates can come of them.
 */
final class PartitionProbes {
    private final RecentlyUndelivered undelivered;

    /** Who leads the partition now; what is scheduled from now on goes to this account. */
    LeaderAccount leader;

    private Probe[] ring = new Probe[64];
    private long[] due = new long[64];
    private long tail;
    private long next;

    /** The first probe that {@link #watch} has not passed yet. */
    private long watchedUpTo;

    /** The first probe that {@link #judge} has not passed yet. */
    private long judgedUpTo;

    /** Highest offset acknowledged so far, or -1; lower again once the log turned out shorter. */
    long acknowledgedUpTo = -1;

    /**
     * @param undelivered takes those lost or not sent, of all partitions
     */
    PartitionProbes(RecentlyUndelivered undelivered) {
        this.undelivered = undelivered;
    }

    Probe add(int partition, long dueNanos) {
        if (next - tail == ring.length) {
            grow();
        }
        Probe probe = new Probe(leader, partition, next, dueNanos, acknowledgedUpTo);
        ring[index(next)] = probe;
        due[index(next)] = dueNanos;
        next++;
        return probe;
    }

    /** The probe with that sequence, or null when it is forgotten. */
    Probe find(int partition, long sequence) {
        return sequence >= tail && sequence < next ? ring[index(sequence)] : undelivered.find(partition, sequence);
    }

    /** Whether a probe with that sequence was ever scheduled. */
    boolean issued(long sequence) {
        return sequence >= 0 && sequence < next;
    }

    /** The probe with that sequence if it was due more than {@code nanos} ago, otherwise null. */
    private Probe olderThan(long sequence, long nanos, long now) {
        int slot = index(sequence);
        return sequence < next && now - due[slot] > nanos ? ring[slot] : null;
    }

    /**
     * Forgets all probes that were due more than {@code nanos} ago, the oldest first; hands each to
     * {@code before} before it is forgotten.
     */
    void retire(long nanos, long now, Consumer<Probe> before) {
        for (Probe p = olderThan(tail, nanos, now); p != null; p = olderThan(tail, nanos, now)) {
            before.accept(p);
            retireOldest();
        }
    }

    /** Forgets the oldest; one that was lost or not sent is remembered, as it may still turn up. */
    private void retireOldest() {
        Probe probe = ring[index(tail)];
        if (probe.outcome == Outcome.LOST || probe.outcome == Outcome.SEND_FAILED) {
            undelivered.add(probe);
        }
        ring[index(tail)] = null;
        tail++;
        judgedUpTo = Math.max(judgedUpTo, tail);
        watchedUpTo = Math.max(watchedUpTo, tail);
    }

    /**
     * Hands each probe that was due more than {@code nanos} ago to {@code look}, once, in order.
     *
     * @param look false when it is too early to say: the probe is looked at again the next time
     */
    void watch(long nanos, long now, Predicate<Probe> look) {
        Probe probe = olderThan(watchedUpTo, nanos, now);
        while (probe != null && look.test(probe)) {
            watchedUpTo++;
            probe = olderThan(watchedUpTo, nanos, now);
        }
    }

    /** Hands each probe that was due more than {@code nanos} ago to {@code judge}, once, in order. */
    void judge(long nanos, long now, Consumer<Probe> judge) {
        Probe probe = olderThan(judgedUpTo, nanos, now);
        while (probe != null) {
            judge.accept(probe);
            if (probe.isFinished()) {
                ring[index(judgedUpTo)] = probe.leader.delivered;
            }
            judgedUpTo++;
            probe = olderThan(judgedUpTo, nanos, now);
        }
    }

    /**
     * Whether some probe has no outcome yet; looks at each, so it is not to be called for every
     * probe.
     */
    boolean underWay() {
        for (long s = tail; s < next; s++) {
            if (ring[index(s)].outcome == null) {
                return true;
            }
        }
        return false;
    }

    /**
     * The probes without an outcome that were due more than {@code nanos} ago, the oldest first.
     *
     * @param most of them
     */
    List<Probe> open(long nanos, long now, int most) {
        List<Probe> open = new ArrayList<>();
        long sequence = tail;
        for (Probe p = olderThan(sequence, nanos, now);
                p != null && open.size() < most;
                p = olderThan(++sequence, nanos, now)) {
            if (p.outcome == null) {
                open.add(p);
            }
        }
        return open;
    }

    private void grow() {
        Probe[] larger = new Probe[ring.length + ring.length / 4];
        long[] largerDue = new long[larger.length];
        for (long s = tail; s < next; s++) {
            int slot = (int) (s % larger.length);
            larger[slot] = ring[index(s)];
            largerDue[slot] = due[index(s)];
        }
        ring = larger;
        due = largerDue;
    }

    private int index(long sequence) {
        return (int) (sequence % ring.length);
    }
}
