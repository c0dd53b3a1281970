/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.canary.estimate.Draft;
import io.phasewise.canary.phases.ClockLine;
import io.phasewise.canary.phases.Passage;
import io.phasewise.canary.phases.ProbeObservation;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.common.marks.MarkPage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What all brokers of a cluster have told of the canary's records. Thread-safe. */
public final class MarkBook {
    private final Map<Integer, BrokerMarks> brokers = new HashMap<>();

    /** What to ask a broker for next. */
    public synchronized long sequence(int broker) {
        return of(broker).sequence();
    }

    /** A broker answered. */
    public synchronized void add(int broker, MarkPage page) {
        of(broker).add(page);
    }

    /** A broker did not answer. */
    public synchronized void silent(int broker) {
        of(broker).silent();
    }

    /**
     * Forgets brokers that have left the cluster.
     *
     * @param members the brokers that have not
     */
    public synchronized void retainBrokers(Set<Integer> members) {
        brokers.keySet().retainAll(members);
    }

    /** Whether a broker tells of records at present. */
    synchronized boolean tells(int broker) {
        return brokers.containsKey(broker) && brokers.get(broker).isActive();
    }

    /** A record's way through its leader, on that one's clock; empty while it has not told. */
    synchronized Optional<Passage> passage(int leader, MarkKey key, int epoch) {
        return of(leader).passage(key, epoch);
    }

    /** Has a leader's clock learn from a probe of which it has told. */
    synchronized void learn(int leader, ProbeObservation seen, Passage there) {
        of(leader).learn(seen, there);
    }

    /** A probe's phases as its leader tells them; empty while its clock is not known. */
    synchronized Optional<Breakdown> told(int leader, Draft draft, Passage there) {
        ClockLine clock = of(leader).clock();
        if (clock.isEmpty()) {
            return Optional.empty();
        }
        ClockLine.Offset offset = clock.at(draft.seen().dispatched());
        return Optional.of(
                draft.told(
                        there.mapped(instant -> instant - offset.middle()), offset.uncertainty()));
    }

    /**
     * How far the instants that a broker tells can be off, nanoseconds; empty where it tells none.
     */
    public synchronized OptionalLong uncertaintyNanos(int broker, long now) {
        return tells(broker) && !of(broker).clock().isEmpty()
                ? OptionalLong.of(of(broker).clock().at(now).uncertainty())
                : OptionalLong.empty();
    }

    private BrokerMarks of(int broker) {
        return brokers.computeIfAbsent(broker, id -> new BrokerMarks());
    }
}
