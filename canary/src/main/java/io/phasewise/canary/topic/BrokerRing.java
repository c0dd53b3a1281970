/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.topic.TopicState.Broker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The live brokers in a ring in which neighbours differ in rack where they can, and the choice of
 * replicas from it; when replicas are to be chosen is left to {@link TopicPlanner}. Immutable.
 */
final class BrokerRing {
    private final Map<Integer, Broker> members = new HashMap<>();
    private final List<Broker> ring;

    /**
     * @param brokers the cluster's members, live or not
     */
    BrokerRing(List<Broker> brokers) {
        brokers.forEach(broker -> members.put(broker.id(), broker));
        this.ring = rackAlternating(brokers.stream().filter(Broker::live).toList());
    }

    /** How many live brokers there are. */
    int size() {
        return ring.size();
    }

    boolean isEmpty() {
        return ring.isEmpty();
    }

    /** Ids of the live brokers, ascending. */
    List<Integer> ids() {
        return ring.stream().map(Broker::id).sorted().toList();
    }

    /** The id of any live broker, always the same one. */
    int first() {
        return ring.get(0).id();
    }

    /**
     * Replicas for a partition that a broker shall lead: the broker, then those already there (they
     * hold the data), then live ones clockwise round the ring, unused racks before used ones.
     *
     * @param leader a member
     * @param present ids of the replicas that there are
     * @param size how many are wanted
     */
    List<Integer> replicas(int leader, List<Integer> present, int size) {
        Set<Integer> chosen = new LinkedHashSet<>();
        chosen.add(leader);
        present.stream()
                .filter(members::containsKey)
                .takeWhile(id -> chosen.size() < size)
                .forEach(chosen::add);
        Set<String> racks = new HashSet<>();
        chosen.forEach(id -> racks.add(rack(id)));
        int start = indexOf(leader);
        for (boolean newRackOnly : new boolean[] {true, false}) {
            for (int i = 1; i <= ring.size() && chosen.size() < size; i++) {
                Broker broker = ring.get((start + i) % ring.size());
                if (!newRackOnly || !racks.contains(rack(broker.id()))) {
                    chosen.add(broker.id());
                    racks.add(rack(broker.id()));
                }
            }
        }
        return List.copyOf(chosen);
    }

    private int indexOf(int broker) {
        for (int i = 0; i < ring.size(); i++) {
            if (ring.get(i).id() == broker) {
                return i;
            }
        }
        return 0;
    }

    /** A broker without a rack counts as a rack of its own. */
    private String rack(int broker) {
        Broker b = members.get(broker);
        return b == null || b.rack() == null ? "broker " + broker : "rack " + b.rack();
    }

    /** First broker of every rack, then the second of every rack, and so on. */
    private static List<Broker> rackAlternating(List<Broker> brokers) {
        Map<String, List<Broker>> racks = new TreeMap<>();
        brokers.stream()
                .sorted(Comparator.comparingInt(Broker::id))
                .forEach(broker -> racks.computeIfAbsent(
                                broker.rack() == null ? "" : broker.rack(), r -> new ArrayList<>())
                        .add(broker));
        List<Broker> ring = new ArrayList<>();
        for (int i = 0; ring.size() < brokers.size(); i++) {
            for (List<Broker> rack : racks.values()) {
                if (i < rack.size()) {
                    ring.add(rack.get(i));
                }
            }
        }
        return ring;
    }
}
