/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.common.marks.MarkPage;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What all brokers of a cluster have reported of the canary's records. Thread-safe. */
public final class MarkStore {
    private final AtomicLong pages = new AtomicLong();
    private final Map<Integer, ReportedMarks> brokers = new ConcurrentHashMap<>();

    /**
     * Takes in a page that a broker has answered with.
     *
     * @return how many marks it had dropped before; see {@link ReportedMarks#add}
     */
    public long add(int broker, MarkPage page) {
        long missed = of(broker).add(page);
        pages.incrementAndGet();
        return missed;
    }

    /** How many pages have been taken in; it grows when there may be something new. */
    public long pages() {
        return pages.get();
    }

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

    /** The brokers of which something is known, or was asked for. */
    public Set<Integer> brokers() {
        return Set.copyOf(brokers.keySet());
    }

    /** By broker whether its agent answered the last request for marks; without those that were never asked. */
    public Map<Integer, Boolean> reached() {
        Map<Integer, Boolean> all = new TreeMap<>();
        brokers.forEach((broker, marks) -> marks.reached().ifPresent(answered -> all.put(broker, answered)));
        return all;
    }

    /** Whether a broker has been asked. */
    public boolean isKnown(int broker) {
        return brokers.containsKey(broker);
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
