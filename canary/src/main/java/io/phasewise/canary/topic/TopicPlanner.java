/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.config.TopicConfig;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
     * Plans one round. Whether the topic may be changed at all is left to {@link TopicOwnership}.
     *
     * @param clusterId Kafka's id of the cluster, which a topic's mark is made of; may be null
     * @param state the cluster as it is
     * @return steps and problems; the same for the same state
     */
    public Plan plan(String clusterId, TopicState state) {
        return new Round(clusterId, state).plan();
    }

    /** Whether the topic's settings may be altered, and so its mark. */
    boolean mayConfigure() {
        return wish.manage().configure();
    }

    /**
     * The settings a topic with that many replicas should have. With fewer replicas than asked for,
     * asking for as many in sync as configured would only make every write fail.
     */
    private Map<String, String> wantedConfig(int replicas) {
        Map<String, String> config = new TreeMap<>(wish.config());
        config.put("min.insync.replicas", Integer.toString(Math.min(wish.minInsyncReplicas(), replicas)));
        return config;
    }

    private final class Round {
        private final String clusterId;
        private final TopicState state;
        private final Map<Integer, Broker> members = new LinkedHashMap<>();
        private final BrokerRing ring;
        private final List<Change> changes = new ArrayList<>();
        private final List<Problem> problems = new ArrayList<>();

        Round(String clusterId, TopicState state) {
            this.clusterId = clusterId;
            this.state = state;
            state.brokers().forEach(b -> members.put(b.id(), b));
            this.ring = new BrokerRing(state.brokers());
        }

        Plan plan() {
            if (ring.isEmpty()) {
                report("bootstrap-servers", "the cluster has no live broker");
                return new Plan(changes, problems);
            }
            if (ring.size() < wish.replicationFactor() && !enoughMembers()) {
                report(
                        "topic.replication-factor",
                        "is %s, but the cluster has only %s%s",
                        wish.replicationFactor(),
                        members.size(),
                        members.size() == 1 ? " broker" : " brokers");
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
                    report(
                            "topic.name",
                            "topic %s does not exist and cannot be created yet: %s of %s brokers"
                                    + " are up, replication factor %s needs more",
                            wish.name(),
                            ring.size(),
                            members.size(),
                            wish.replicationFactor());
                }
                return;
            }
            if (!wish.manage().create()) {
                report(
                        "topic.manage.create",
                        "topic %s does not exist and creating it is switched off; create it with %s partitions%s",
                        wish.name(),
                        ring.size(),
                        wish.adopt() ? "" : ", and set topic.adopt: true");
                return;
            }
            if (clusterId == null) {
                report(
                        "topic.name",
                        "topic %s does not exist, and the cluster does not say its id, of which the mark of"
                                + " the canary's topics is made; create it with %s partitions, and set topic.adopt: true",
                        wish.name(),
                        ring.size());
                return;
            }
            List<List<Integer>> assignments = new ArrayList<>();
            for (int broker : ring.ids()) {
                assignments.add(replicasFor(broker, List.of()));
            }
            changes.add(new Change.Create(
                    assignments,
                    wantedConfig(wish.replicationFactor()),
                    OwnershipMark.settings(clusterId, wish.name(), OwnershipMark.Origin.CREATED)));
        }

        private void align() {
            Map<Integer, List<Integer>> target = new TreeMap<>();
            state.partitions().forEach(p -> target.put(p.number(), p.replicas()));

            Set<Integer> unmeasured = new TreeSet<>(ring.ids());
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
        private void giveSpares(Map<Integer, List<Integer>> target, Set<Integer> spare, Set<Integer> unmeasured) {
            for (boolean mustHold : new boolean[] {true, false}) {
                for (int broker : List.copyOf(unmeasured)) {
                    spare.stream()
                            .filter(p -> !mustHold || target.get(p).contains(broker))
                            .findFirst()
                            .ifPresent(number -> {
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
                    replicas.stream().filter(members::containsKey).findFirst().orElse(ring.first());
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
            report(
                    wish.manage().expand() ? "topic.replication-factor" : "topic.manage.expand",
                    "no partition is led by broker %s, which is not measured; topic %s needs %s partitions",
                    join(unmeasured),
                    wish.name(),
                    state.partitions().size() + unmeasured.size());
        }

        private void reportReplicas() {
            List<Partition> wrong = state.partitions().stream()
                    .filter(p -> p.replicas().size() != wish.replicationFactor())
                    .toList();
            if (!wrong.isEmpty()) {
                int has = wrong.get(0).replicas().size();
                report(
                        "topic.replication-factor",
                        "is %s, but partition %s of topic %s has %s%s; set it to that, or switch"
                                + " topic.manage.reassign on",
                        wish.replicationFactor(),
                        join(wrong.stream().map(Partition::number).toList()),
                        wish.name(),
                        has,
                        has == 1 ? " replica" : " replicas");
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
                report(
                        "topic.manage.elect",
                        "partition %s is not led by its preferred leader and electing it is switched off",
                        join(elsewhere));
            }
        }

        private void configuration(Map<Integer, List<Integer>> target) {
            if (!state.configKnown()) {
                return;
            }
            int replicas = target.values().stream().mapToInt(List::size).min().orElseThrow();
            Map<String, String> wrong = wantedConfig(replicas);
            wrong.entrySet().removeAll(state.config().entrySet());
            if (wrong.isEmpty()) {
                return;
            }
            if (wish.manage().configure()) {
                changes.add(new Change.Configure(wrong));
                return;
            }
            wrong.forEach((name, value) -> report(
                    name.equals("min.insync.replicas") ? "topic.min-insync-replicas" : "topic.config." + name,
                    "topic %s has %s=%s, wanted %s; altering it is switched off (topic.manage.configure)",
                    wish.name(),
                    name,
                    state.config().get(name),
                    value));
        }

        private void report(String key, String format, Object... values) {
            problems.add(Problem.of(key, format, values));
        }

        private List<Integer> replicasFor(int leader, List<Integer> present) {
            return ring.replicas(leader, present, wish.replicationFactor());
        }
    }

    private static String join(Collection<Integer> numbers) {
        return String.join(", ", numbers.stream().map(String::valueOf).toList());
    }
}
