/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.canary.account.OwnClients;
import io.phasewise.common.marks.MarkPage;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** What all brokers of a cluster have reported of the canary's records. Thread-safe. */
public final class MarkStore {
    private final OwnClients own;
    private final LongSupplier nanoClock;
    private final AtomicLong pages = new AtomicLong();
    private final Map<Integer, ReportedMarks> brokers = new ConcurrentHashMap<>();

    /**
     * @param own whose requests are of use
     * @param nanoClock monotonic nanoseconds, asked for each page
     */
    public MarkStore(OwnClients own, LongSupplier nanoClock) {
        this.own = own;
        this.nanoClock = nanoClock;
    }

    /**
     * Takes in a page that a broker has answered with.
     *
     * @return how many marks it had dropped before; see {@link ReportedMarks#add}
     */
    public long add(int broker, MarkPage page) {
        long missed = of(broker).add(page, nanoClock.getAsLong());
        pages.incrementAndGet();
        return missed;
    }

    /** How many pages have been taken in; it grows when there may be something new. */
    public long pages() {
        return pages.get();
    }

    /** What one broker has reported that is known here; empty where none has been asked by that id. */
    public Optional<ReportedMarks> find(int broker) {
        return Optional.ofNullable(brokers.get(broker));
    }

    /** The same for whoever asks brokers: it is known from now on. */
    public ReportedMarks of(int broker) {
        return brokers.computeIfAbsent(broker, id -> new ReportedMarks(own));
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

    /** Whether a broker reports marks at present. */
    public boolean reportsMarks(int broker) {
        ReportedMarks reported = brokers.get(broker);
        return reported != null && reported.isActive();
    }

    /**
     * How far the instants that a broker reports can be off, nanoseconds; empty where it reports
     * none.
     */
    public OptionalLong uncertaintyNanos(int broker, long now) {
        ReportedMarks reported = brokers.get(broker);
        return reported == null ? OptionalLong.empty() : reported.uncertaintyNanos(now);
    }
}
