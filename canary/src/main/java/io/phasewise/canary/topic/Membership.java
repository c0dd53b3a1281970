/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.topic.TopicState.Broker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Tells a broker that is down from one that has left; what follows from it is left to {@link
 * TopicPlanner}.
 *
 * <p>Kafka 4.0 and newer say so themselves: a broker that is down stays registered until someone
 * unregisters it. Older ones name live brokers only; there a broker that holds replicas of the
 * topic counts as a member until it has been away for ten minutes.
 */
final class Membership {
    private static final long FORGET_NANOS = Duration.ofMinutes(10).toNanos();

    private final LongSupplier nanoClock;
    private final Map<Integer, Broker> known = new HashMap<>();
    private final Map<Integer, Long> missedSince = new HashMap<>();

    Membership(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /**
     * The cluster's members.
     *
     * @param named the brokers the cluster names now
     * @param replicas brokers that hold replicas of the topic
     * @param complete whether the cluster also names members that are down
     */
    List<Broker> members(List<Broker> named, Set<Integer> replicas, boolean complete) {
        List<Broker> members = new ArrayList<>();
        Set<Integer> missing = new TreeSet<>(replicas);
        for (Broker broker : named) {
            missing.remove(broker.id());
            missedSince.remove(broker.id());
            if (broker.live()) {
                known.put(broker.id(), broker);
            }
            members.add(broker.live() ? broker : down(broker.id(), broker));
        }
        if (!complete) {
            long now = nanoClock.getAsLong();
            for (int id : missing) {
                long since = missedSince.computeIfAbsent(id, i -> now);
                if (now - since < FORGET_NANOS) {
                    members.add(down(id, new Broker(id, "", -1, null, false)));
                }
            }
        }
        return members;
    }

    /** A fenced broker's address is not always reported: show the one it had. */
    private Broker down(int id, Broker otherwise) {
        Broker last = known.getOrDefault(id, otherwise);
        return new Broker(id, last.host(), last.port(), last.rack(), false);
    }
}
