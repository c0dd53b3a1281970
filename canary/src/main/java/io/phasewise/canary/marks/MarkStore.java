/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What all brokers of a cluster have reported of the canary's records. Thread-safe. */
public final class MarkStore {
    private final Map<Integer, ReportedMarks> brokers = new ConcurrentHashMap<>();

    /** What one broker has reported. */
    public ReportedMarks of(int broker) {
        return brokers.computeIfAbsent(broker, id -> new ReportedMarks());
    }

    /**
     * Forgets brokers that have left the cluster.
     *
     * @param members the brokers that are still in it
     */
    public void retainBrokers(Set<Integer> members) {
        brokers.keySet().retainAll(members);
    }

    /** Whether a broker reports marks at present. */
    public boolean reportsMarks(int broker) {
        return brokers.containsKey(broker) && of(broker).isActive();
    }

    /**
     * How far the instants that a broker reports can be off, nanoseconds; empty where it reports
     * none.
     */
    public OptionalLong uncertaintyNanos(int broker, long now) {
        return reportsMarks(broker) ? of(broker).uncertaintyNanos(now) : OptionalLong.empty();
    }
}
