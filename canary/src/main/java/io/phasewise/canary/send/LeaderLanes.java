/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.send;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** The probes on each busy lane; lanes in the order in which they were granted. */
    private final Map<Integer, List<P>> held = new LinkedHashMap<>();

    /**
     * A probe that waits.
     *
     * @param since when it asked first
     * @param behind the probe that had held its lane longest then; null for one that lost its lane
     */
    record Waiter<P>(P probe, long since, P behind) {}

    LeaderLanes(int id) {
        this.id = id;
    }

    /** Busy lanes, and probes that wait for one. */
    int load() {
        return held.size() + waiting.size();
    }

    void occupy(int lane, P probe) {
        held.computeIfAbsent(lane, unused -> new ArrayList<>()).add(probe);
    }

    /** Takes a probe off its lane; returns whether it was there, and the last one. */
    boolean vacate(int lane, P probe) {
        List<P> holders = held.get(lane);
        if (holders == null || !holders.remove(probe) || !holders.isEmpty()) {
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
        Iterator<List<P>> holders = held.values().iterator();
        return holders.hasNext() ? holders.next().get(0) : null;
    }
}
