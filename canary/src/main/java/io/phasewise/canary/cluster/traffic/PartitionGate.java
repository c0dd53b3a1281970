/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster.traffic;

import io.phasewise.canary.cluster.reach.BrokerReach;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Decides which partitions get probes: those that are open, and those that could not be opened for
 * too long, whose probes fail without being sent. Sending is left to {@link Traffic}. Used by one
 * thread.
 *
 * <p>A partition is open when the producer knows its leader and the consumer reads it. One that was
 * open stays so when its leader is gone: its probes then fail or get lost. One that never was open,
 * for example because its only replica is down, would otherwise have no probes at all, and the
 * objective would leave it out.
 */
public final class PartitionGate {
    private final Map<Integer, Long> closedSince = new HashMap<>();

    /**
     * Which partitions get probes; no partition is in both.
     *
     * @param open each with the leader last known
     * @param failing each with its preferred leader
     */
    public record Served(Map<Integer, Integer> open, Map<Integer, Integer> failing) {}

    /**
     * Decides again.
     *
     * @param wanted partitions that should get probes, each with its preferred leader
     * @param leaders the leader last known of each partition that had one
     * @param reading partitions that the consumer reads
     * @param now monotonic nanoseconds
     */
    public Served update(Map<Integer, Integer> wanted, Map<Integer, Integer> leaders, Set<Integer> reading, long now) {
        Map<Integer, Integer> open = new TreeMap<>(leaders);
        open.keySet().retainAll(wanted.keySet());
        Map<Integer, Integer> failing = new TreeMap<>(wanted);
        open.keySet().retainAll(reading);
        failing.keySet().removeAll(open.keySet());

        closedSince.keySet().retainAll(failing.keySet());
        for (int partition : new HashSet<>(failing.keySet())) {
            long since = closedSince.computeIfAbsent(partition, unused -> now);
            if (now - since < BrokerReach.PATIENCE.toNanos()) {
                failing.remove(partition);
            }
        }
        return new Served(open, failing);
    }
}
