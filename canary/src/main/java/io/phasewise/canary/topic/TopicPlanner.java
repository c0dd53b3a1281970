/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.config.TopicConfig;
import io.phasewise.canary.status.Problem;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Says what must change for the topic to measure every broker: a pure function from the cluster's
 * state and the configuration to steps and problems. Looking and doing are left to {@link
 * TopicObserver} and {@link TopicApplier}.
 *
 * <p>Invariants of the topic once every step is done:
 *
 * <ul>
 *   <li>Every live broker is the preferred leader of a partition: a probe to that partition takes
 *       the path through that broker.
 *   <li>Every partition has as many replicas as configured, on distinct members, on distinct racks
 *       as far as there are enough: the commit phase then waits for what user data waits for.
 *   <li>Preferred leaders lead wherever they are in sync.
 * </ul>
 *
 * <p>What it must never do:
 *
 * <ul>
 *   <li>Move the partition of a member that is merely down. It will be back, and moving its data
 *       twice is a load that the canary would put on a cluster in trouble. Only a broker that is no
 *       longer a member loses its partition.
 *   <li>Put a new replica on a broker that is down.
 *   <li>Depend on anything but its input: the same state gives the same plan, and a plan carried
 *       out leaves nothing to plan. Otherwise two canaries on one topic would undo each other's
 *       work for ever.
 * </ul>
 *
 * <p>Partitions cannot be removed from a topic, so when brokers go there are spare ones; they are
 * given to brokers that come, and until then carry no probes.
 */
public final class TopicPlanner {
    private final TopicConfig wish;

    /**
     * @param wish the topic as configured
     */
    public TopicPlanner(TopicConfig wish) {
        this.wish = wish;
    }

    /**
     * Plans one round.
     *
     * @param state the cluster as it is
     * @return steps and problems; the same for the same state
     */
    public Plan plan(TopicState state) {
        return new Round(state).plan();
    }

    /**
     * The settings a topic with that many replicas should have. With fewer replicas than asked for,
     * asking for as many in sync as configured would only make every write fail.
     */
    private Map<String, String> wantedConfig(int replicas) {
        Map<String, String> config = new TreeMap<>(wish.config());
        config.put(
                "min.insync.replicas",
                Integer.toString(Math.min(wish.minInsyncReplicas(), replicas)));
        return config;
    }

    private final class Round {
        private final TopicState state;
        private final Map<Integer, Broker> members = new LinkedHashMap<>();
        private final List<Broker> ring;
        private final List<Change> changes = new ArrayList<>();
        private final List<Problem> problems = new ArrayList<>();

        Round(TopicState state) {
            this.state = state;
            state.brokers().forEach(b -> members.put(b.id(), b));
            this.ring = rackAlternating(state.brokers().stream().filter(Broker::live).toList());
        }

        Plan plan() {
            if (ring.isEmpty()) {
                problems.add(new Problem("bootstrap-servers", "the cluster has no live broker"));
                return new Plan(changes, problems);
            }
            if (ring.size() < wish.replicationFactor() && !enoughMembers()) {
                problems.add(
                        new Problem(
                                "topic.replication-factor",
                                "is "
                                        + wish.replicationFactor()
                                        + ", but the cluster has only "
                                        + members.size()
                                        + (members.size() == 1 ? " broker" : " brokers")));
            }
            if (state.exists()) {
                align();
            } else {
                create();
            }
            return new Plan(changes, problems);
        }

        private boolean enoughMembers() {
            return members.size() >= wish.replicationFactor();
        }

        private void create() {
            if (ring.size() < wish.replicationFactor()) {
                if (enoughMembers()) {
                    problems.add(
                            new Problem(
                                    "topic.name",
                                    "topic "
                                            + wish.name()
                                            + " does not exist and cannot be created yet: "
                                            + ring.size()
                                            + " of "
                                            + members.size()
                                            + " brokers are up, replication factor "
                                            + wish.replicationFactor()
                                            + " needs more"));
                }
                return;
            }
            if (!wish.manage().create()) {
                problems.add(
                        new Problem(
                                "topic.manage.create",
                                "topic "
                                        + wish.name()
                                        + " does not exist and creating it is switched off; create"
                                        + " it with "
                                        + ring.size()
                                        + " partitions"));
                return;
            }
            List<List<Integer>> assignments = new ArrayList<>();
            for (Broker broker : byId(ring)) {
                assignments.add(replicasFor(broker.id(), List.of()));
            }
            changes.add(new Change.Create(assignments, wantedConfig(wish.replicationFactor())));
        }

        private void align() {
            Map<Integer, List<Integer>> target = new TreeMap<>();
            state.partitions().forEach(p -> target.put(p.number(), p.replicas()));

            Set<Integer> unmeasured = new TreeSet<>();
            ring.forEach(b -> unmeasured.add(b.id()));
            Set<Integer> spare = new TreeSet<>();
            Set<Integer> owners = new HashSet<>();
            for (Partition partition : state.partitions()) {
                int preferred = partition.preferredLeader();
                if (members.containsKey(preferred) && owners.add(preferred)) {
                    unmeasured.remove(preferred);
                } else {
                    spare.add(partition.number());
                }
            }

            if (wish.manage().reassign()) {
                giveSpares(target, spare, unmeasured);
                target.replaceAll((number, replicas) -> repaired(replicas));
            } else {
                reportReplicas();
            }
            List<List<Integer>> added = expansion(unmeasured);
            reportUnmeasured(unmeasured, added.size());

            Set<Integer> moving = new HashSet<>();
            if (!added.isEmpty()) {
                changes.add(new Change.Expand(target.size() + added.size(), added));
            }
            for (Partition partition : state.partitions()) {
                List<Integer> replicas = target.get(partition.number());
                if (!replicas.equals(partition.replicas())) {
                    changes.add(new Change.Reassign(partition.number(), replicas));
                    moving.add(partition.number());
                }
            }
            elections(moving);
            configuration(target);
        }

        /**
         * A spare partition that already has a replica on the broker goes first: it moves no data.
         */
        private void giveSpares(
                Map<Integer, List<Integer>> target, Set<Integer> spare, Set<Integer> unmeasured) {
            for (boolean mustHold : new boolean[] {true, false}) {
                for (int broker : List.copyOf(unmeasured)) {
                    spare.stream()
                            .filter(p -> !mustHold || target.get(p).contains(broker))
                            .findFirst()
                            .ifPresent(
                                    number -> {
                                        target.put(number, replicasFor(broker, target.get(number)));
                                        spare.remove(number);
                                        unmeasured.remove(broker);
                                    });
                }
            }
        }

        /**
         * The replicas a partition should have; the same ones, in the same order, wherever nothing
         * is wrong.
         */
        private List<Integer> repaired(List<Integer> replicas) {
            boolean allMembers = members.keySet().containsAll(replicas);
            if (allMembers && replicas.size() == wish.replicationFactor()) {
                return replicas;
            }
            int first =
                    replicas.stream()
                            .filter(members::containsKey)
                            .findFirst()
                            .orElse(ring.get(0).id());
            return replicasFor(first, replicas);
        }

        private List<List<Integer>> expansion(Set<Integer> unmeasured) {
            if (!wish.manage().expand() || ring.size() < wish.replicationFactor()) {
                return List.of();
            }
            List<List<Integer>> added = new ArrayList<>();
            unmeasured.forEach(broker -> added.add(replicasFor(broker, List.of())));
            return added;
        }

        private void reportUnmeasured(Set<Integer> unmeasured, int added) {
            if (unmeasured.isEmpty() || added == unmeasured.size()) {
                return;
            }
            String key =
                    wish.manage().expand() ? "topic.replication-factor" : "topic.manage.expand";
            problems.add(
                    new Problem(
                            key,
                            "no partition is led by broker "
                                    + join(unmeasured)
                                    + ", which is not measured; topic "
                                    + wish.name()
                                    + " needs "
                                    + (state.partitions().size() + unmeasured.size())
                                    + " partitions"));
        }

        private void reportReplicas() {
            Set<Integer> wrong = new TreeSet<>();
            for (Partition partition : state.partitions()) {
                if (partition.replicas().size() != wish.replicationFactor()) {
                    wrong.add(partition.number());
                }
            }
            if (!wrong.isEmpty()) {
                int has = state.partitions().get(wrong.iterator().next()).replicas().size();
                problems.add(
                        new Problem(
                                "topic.replication-factor",
                                "is "
                                        + wish.replicationFactor()
                                        + ", but partition "
                                        + join(wrong)
                                        + " of topic "
                                        + wish.name()
                                        + " has "
                                        + has
                                        + (has == 1 ? " replica" : " replicas")
                                        + "; set it to that, or switch topic.manage.reassign on"));
            }
        }

        private void elections(Set<Integer> moving) {
            Set<Integer> elsewhere = new TreeSet<>();
            for (Partition partition : state.partitions()) {
                int preferred = partition.preferredLeader();
                Broker broker = members.get(preferred);
                boolean misled = partition.leader() != preferred;
                boolean able =
                        broker != null && broker.live() && partition.inSync().contains(preferred);
                if (misled && able && !moving.contains(partition.number())) {
                    if (wish.manage().elect()) {
                        changes.add(new Change.Elect(partition.number()));
                    } else {
                        elsewhere.add(partition.number());
                    }
                }
            }
            if (!elsewhere.isEmpty()) {
                problems.add(
                        new Problem(
                                "topic.manage.elect",
                                "partition "
                                        + join(elsewhere)
                                        + " is not led by its preferred leader and electing it is"
                                        + " switched off"));
            }
        }

        private void configuration(Map<Integer, List<Integer>> target) {
            if (!state.configKnown()) {
                return;
            }
            int replicas = target.values().stream().mapToInt(List::size).min().orElseThrow();
            Map<String, String> wrong = new LinkedHashMap<>();
            wantedConfig(replicas)
                    .forEach(
                            (name, value) -> {
                                if (!value.equals(state.config().get(name))) {
                                    wrong.put(name, value);
                                }
                            });
            if (wrong.isEmpty()) {
                return;
            }
            if (wish.manage().configure()) {
                changes.add(new Change.Configure(wrong));
                return;
            }
            wrong.forEach(
                    (name, value) ->
                            problems.add(
                                    new Problem(
                                            name.equals("min.insync.replicas")
                                                    ? "topic.min-insync-replicas"
                                                    : "topic.config." + name,
                                            "topic "
                                                    + wish.name()
                                                    + " has "
                                                    + name
                                                    + "="
                                                    + state.config().get(name)
                                                    + ", wanted "
                                                    + value
                                                    + "; altering it is switched off"
                                                    + " (topic.manage.configure)")));
        }

        /**
         * Replicas for a partition that a broker shall lead: the broker, then those already there
         * (they hold the data), then live ones clockwise round the ring, unused racks before used
         * ones.
         */
        private List<Integer> replicasFor(int leader, List<Integer> present) {
            Set<Integer> chosen = new LinkedHashSet<>();
            chosen.add(leader);
            int size = wish.replicationFactor();
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
    }

    /**
     * First broker of every rack, then the second of every rack, and so on: neighbours differ in
     * rack if they can.
     */
    private static List<Broker> rackAlternating(List<Broker> brokers) {
        Map<String, List<Broker>> racks = new TreeMap<>();
        for (Broker broker : byId(brokers)) {
            racks.computeIfAbsent(
                            broker.rack() == null ? "" : broker.rack(), r -> new ArrayList<>())
                    .add(broker);
        }
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

    private static List<Broker> byId(List<Broker> brokers) {
        List<Broker> sorted = new ArrayList<>(brokers);
        sorted.sort(java.util.Comparator.comparingInt(Broker::id));
        return sorted;
    }

    private static String join(Set<Integer> numbers) {
        return String.join(", ", numbers.stream().map(String::valueOf).toList());
    }
}
