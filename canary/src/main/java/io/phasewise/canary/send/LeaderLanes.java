/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one broker's probes hold and wait for; who gets what is left to {@link LanePool}.
 *
 * @param <P> what stands for a probe
 */
final class LeaderLanes<P> {
    final int id;

    /** Ready lanes without a probe for this leader, longest free first. */
    final Deque<Integer> free = new ArrayDeque<>();

    final Deque<Waiter<P>> waiting = new ArrayDeque<>();

    /** In the order in which they were granted. */
    private final Map<Integer, P> held = new LinkedHashMap<>();

    /**
     * A probe that waits.
     *
     * @param since when it asked first
     * @param behind which had held its lane longest then; null for one that lost its lane
     */
    record Waiter<P>(P probe, long since, P behind) {}

    LeaderLanes(int id) {
        this.id = id;
    }

    int load() {
        return held.size() + waiting.size();
    }

    boolean isOccupied(int lane) {
        return held.containsKey(lane);
    }

    void occupy(int lane, P probe) {
        held.put(lane, probe);
    }

    boolean vacate(int lane, P probe) {
        if (!probe.equals(held.get(lane))) {
            return false;
        }
        held.remove(lane);
        return true;
    }

    /** The lane cannot be used any more. */
    void forget(int lane) {
        free.remove((Integer) lane);
        held.remove(lane);
    }

    P longestHeld() {
        Iterator<P> holders = held.values().iterator();
        return holders.hasNext() ? holders.next() : null;
    }
}
