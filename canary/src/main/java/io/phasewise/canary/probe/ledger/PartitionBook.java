/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

/**
 * The probes of one partition that may still matter, found by sequence number in constant time;
 * what happens to them is left to {@link Ledger}, whose lock guards this.
 *
 * <p>Probes sit in a ring that covers [tail, next). The tail moves up as the oldest probes pass the
 * loss horizon, so the ring holds at most rate times horizon probes, delivered ones included: they
 * are what a duplicate is told by. Once the deadline has passed, all that were delivered to one
 * leader are the same object, as all that can come of them is a duplicate.
 */
final class PartitionBook {
    private final WrittenOff writtenOff;

    /** Who leads the partition now; what is scheduled from now on goes to this account. */
    LeaderAccount leader;

    private Probe[] ring = new Probe[64];
    private long[] due = new long[64];
    private long tail;
    private long next;

    /** First probe that nobody has asked yet whether it is overdue. */
    private long watchedUpTo;

    /** First probe that the deadline sweep has not passed yet. */
    private long judgedUpTo;

    /** Highest offset acknowledged so far, or -1; lower again once the log turned out shorter. */
    long acknowledgedUpTo = -1;

    /**
     * @param writtenOff takes lost probes, those of all partitions
     */
    PartitionBook(WrittenOff writtenOff) {
        this.writtenOff = writtenOff;
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

    /** The probe with that sequence, or null when it has left the book. */
    Probe find(int partition, long sequence) {
        return sequence >= tail && sequence < next
                ? ring[index(sequence)]
                : writtenOff.find(partition, sequence);
    }

    /** Whether a probe with that sequence was ever scheduled. */
    boolean issued(long sequence) {
        return sequence >= 0 && sequence < next;
    }

    /** The oldest probe when it was due longer ago than that, or null. */
    Probe olderThan(long nanos, long now) {
        return olderThan(tail, nanos, now);
    }

    private Probe olderThan(long sequence, long nanos, long now) {
        int slot = index(sequence);
        return sequence < next && now - due[slot] > nanos ? ring[slot] : null;
    }

    /** Forgets the oldest probe, unless it was never seen. */
    void retireOldest() {
        Probe probe = ring[index(tail)];
        if (probe.outcome == Outcome.LOST || probe.outcome == Outcome.SEND_FAILED) {
            writtenOff.add(probe);
        }
        ring[index(tail)] = null;
        tail++;
        judgedUpTo = Math.max(judgedUpTo, tail);
        watchedUpTo = Math.max(watchedUpTo, tail);
    }

    /** The oldest probe not watched yet, when it was due longer ago than that, or null. */
    Probe unwatchedOlderThan(long nanos, long now) {
        return olderThan(watchedUpTo, nanos, now);
    }

    void passWatched() {
        watchedUpTo++;
    }

    /**
     * The oldest probe that the deadline sweep has not passed, when it was due longer ago than
     * that, or null.
     */
    Probe unjudgedOlderThan(long nanos, long now) {
        return olderThan(judgedUpTo, nanos, now);
    }

    void passJudged() {
        int slot = index(judgedUpTo++);
        if (ring[slot].isFinished()) {
            ring[slot] = ring[slot].leader.delivered;
        }
    }

    /** Whether some probe has no outcome yet; looks at each, so not for every probe. */
    boolean underWay() {
        for (long s = tail; s < next; s++) {
            if (ring[index(s)].outcome == null) {
                return true;
            }
        }
        return false;
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
