/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.report.latency;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts the probes that never came: those that were lost or not sent, less those that came after
 * all. These have a latency, in the block in which they came, and count only there.
 */
final class LostProbes {

    private LostProbes() {}

    /**
     * How many of each block never came. A probe that resurfaces was lost in the same block or an
     * earlier one: it is taken from the latest that has any. One lost before the window is in no
     * block of it.
     *
     * @param counts by the block's begin
     * @return by the block's begin; not negative
     */
    static SortedMap<Instant, Double> of(SortedMap<Instant, Counts> counts) {
        SortedMap<Instant, Double> beyond = new TreeMap<>();
        Deque<Instant> open = new ArrayDeque<>();
        for (Map.Entry<Instant, Counts> each : counts.entrySet()) {
            beyond.put(each.getKey(), each.getValue().lost());
            if (each.getValue().lost() > 0) {
                open.push(each.getKey());
            }
            double back = each.getValue().resurfaced();
            while (back > 0 && !open.isEmpty()) {
                double there = beyond.get(open.peek());
                double taken = Math.min(there, back);
                back -= taken;
                beyond.put(open.peek(), there - taken);
                if (taken >= there) {
                    open.pop();
                }
            }
        }
        return beyond;
    }

    /** How many in all. */
    static double sum(SortedMap<Instant, Counts> counts) {
        return of(counts).values().stream().mapToDouble(d -> d).sum();
    }
}
