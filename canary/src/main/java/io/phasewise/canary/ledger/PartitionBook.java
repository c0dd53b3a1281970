/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The probes of one partition that may still matter, found by sequence number in constant time;
 * what happens to them is left to {@link Ledger}, whose lock guards this.
 *
 * <p>Probes sit in a ring that covers [tail, next). The tail moves up as the oldest probes pass the
 * loss horizon, so the ring holds at most rate times horizon probes, delivered ones included: they
 * are what a duplicate is told by.
 */
final class PartitionBook {
    /** How many lost probes are remembered, to tell one that turns up at last from a duplicate. */
    private static final int WRITTEN_OFF_LIMIT = 10_000;

    private final Map<Long, Probe> writtenOff =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Probe> eldest) {
                    return size() > WRITTEN_OFF_LIMIT;
                }
            };

    /** Who leads the partition now; what is scheduled from now on goes to this account. */
    LeaderAccount leader;

    private Probe[] ring = new Probe[64];
    private long tail;
    private long next;

    /** First probe that the deadline sweep has not passed yet. */
    private long judgedUpTo;

    /** Highest offset acknowledged so far, or -1; lower again once the log turned out shorter. */
    long acknowledgedUpTo = -1;

    Probe add(int partition, long dueNanos) {
        if (next - tail == ring.length) {
            grow();
        }
        Probe probe = new Probe(leader, partition, next, dueNanos, acknowledgedUpTo);
        ring[index(next)] = probe;
        next++;
        return probe;
    }

    /** The probe with that sequence, or null when it has left the book. */
    Probe find(long sequence) {
        return sequence >= tail && sequence < next
                ? ring[index(sequence)]
                : writtenOff.get(sequence);
    }

    /** Whether a probe with that sequence was ever scheduled. */
    boolean issued(long sequence) {
        return sequence >= 0 && sequence < next;
    }

    /** The oldest probe, or null. */
    Probe oldest() {
        return tail < next ? ring[index(tail)] : null;
    }

    /** Forgets the oldest probe, unless it was never seen. */
    void retireOldest() {
        Probe probe = ring[index(tail)];
        if (probe.outcome == Outcome.LOST || probe.outcome == Outcome.SEND_FAILED) {
            writtenOff.put(tail, probe);
        }
        ring[index(tail)] = null;
        tail++;
        judgedUpTo = Math.max(judgedUpTo, tail);
    }

    /** The oldest probe that the deadline sweep has not passed, or null. */
    Probe oldestUnjudged() {
        return judgedUpTo < next ? ring[index(judgedUpTo)] : null;
    }

    void passJudged() {
        judgedUpTo++;
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
        Probe[] larger = new Probe[ring.length * 2];
        for (long s = tail; s < next; s++) {
            larger[(int) (s & (larger.length - 1))] = ring[index(s)];
        }
        ring = larger;
    }

    private int index(long sequence) {
        return (int) (sequence & (ring.length - 1));
    }
}
