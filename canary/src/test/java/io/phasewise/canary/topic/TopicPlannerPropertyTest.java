/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ManageConfig;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/**
 * Whatever the cluster looks like, carrying out the plan makes it right, and there is nothing left
 * to plan.
 */
class TopicPlannerPropertyTest {
    private static final ManageConfig ALL = new ManageConfig(true, true, true, true, true);

    @Property
    void onceCarriedOutEveryLiveBrokerLeadsAPartitionAndReplicasAreRight(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int replicationFactor) {
        TopicState before = anyState(seed);
        TopicState after = settled(before, replicationFactor);
        assertThat(TopicPlannerTest.plan(replicationFactor, ALL, after).changes())
                .as("planned again")
                .isEmpty();
        long live = after.brokers().stream().filter(Broker::live).count();
        if (live < replicationFactor) {
            return; // a problem, not a plan: TopicPlannerTest
        }

        Set<Integer> members = new HashSet<>();
        after.brokers().forEach(b -> members.add(b.id()));
        assertThat(after.brokers()).filteredOn(Broker::live).allSatisfy(b -> {
            Partition own = after.partitionOf(b.id()).orElseThrow();
            assertThat(own.leader()).isEqualTo(b.id());
        });
        assertThat(after.partitions()).allSatisfy(p -> {
            assertThat(p.replicas()).hasSize(replicationFactor).doesNotHaveDuplicates();
            assertThat(members).containsAll(p.replicas());
        });
    }

    @Property
    void theSameStateGivesTheSamePlanWhateverTheOrderItIsToldIn(@ForAll long seed) {
        TopicState state = anyState(seed);
        List<Broker> brokers = new ArrayList<>(state.brokers());
        Collections.shuffle(brokers, new Random(seed));
        TopicState shuffled = new TopicState(brokers, state.partitions(), state.config(), state.configKnown());

        assertThat(TopicPlannerTest.plan(2, ALL, shuffled)).isEqualTo(TopicPlannerTest.plan(2, ALL, state));
    }

    @Property
    void nothingNewIsPutOnABrokerThatIsDownAndAMembersPartitionIsNotTaken(@ForAll long seed) {
        TopicState state = anyState(seed);
        Set<Integer> down = new HashSet<>();
        state.brokers().stream().filter(b -> !b.live()).forEach(b -> down.add(b.id()));

        for (Change change : TopicPlannerTest.plan(2, ALL, state).changes()) {
            if (change instanceof Change.Reassign reassign) {
                Partition before = state.partitions().get(reassign.partition());
                List<Integer> added = new ArrayList<>(reassign.replicas());
                added.removeAll(before.replicas());
                assertThat(added).noneMatch(down::contains);
                boolean owner = state.partitionOf(before.preferredLeader())
                        .orElseThrow()
                        .equals(before);
                boolean member = state.brokers().stream().anyMatch(b -> b.id() == before.preferredLeader());
                if (owner && member) {
                    assertThat(reassign.replicas().get(0)).isEqualTo(before.preferredLeader());
                }
            }
        }
    }

    @Property
    void whatIsSwitchedOffIsNotPlanned(@ForAll long seed, @ForAll @Size(5) List<Boolean> switches) {
        Iterator<Boolean> next = switches.iterator();
        ManageConfig manage = new ManageConfig(next.next(), next.next(), next.next(), next.next(), next.next());
        List<String> allowed = new ArrayList<>(List.of("create", "expand", "reassign", "elect", "configure"));
        Iterator<Boolean> on = switches.iterator();
        allowed.removeIf(kind -> !on.next());
        assertThat(TopicPlannerTest.plan(2, manage, anyState(seed)).changes())
                .allMatch(change -> allowed.contains(change.kind()));
    }

    /** Two rounds, as elections wait for the reassignments before them. */
    private static TopicState settled(TopicState state, int replicationFactor) {
        TopicState now = state;
        for (int i = 0; i < 2; i++) {
            now = TopicPlannerTest.carriedOut(now, TopicPlannerTest.plan(replicationFactor, ALL, now));
        }
        return now;
    }

    private static TopicState anyState(long seed) {
        Random random = new Random(seed);
        List<Integer> ids = new ArrayList<>();
        int id = 0;
        int size = 1 + random.nextInt(7);
        for (int i = 0; i < size; i++) {
            ids.add(id += 1 + random.nextInt(3));
        }
        boolean racked = random.nextBoolean();
        List<Broker> brokers = new ArrayList<>();
        Set<Integer> live = new HashSet<>();
        for (int each : ids) {
            boolean up = random.nextInt(6) != 0;
            if (up) {
                live.add(each);
            }
            brokers.add(TopicPlannerTest.broker(each, racked ? "r" + random.nextInt(3) : null, up));
        }
        List<Integer> holders = new ArrayList<>(ids);
        holders.add(id + 50); // has left the cluster
        List<Partition> partitions = new ArrayList<>();
        int count = random.nextInt(9);
        for (int number = 0; number < count; number++) {
            Collections.shuffle(holders, random);
            List<Integer> replicas = List.copyOf(holders.subList(0, 1 + random.nextInt(Math.min(4, holders.size()))));
            List<Integer> inSync = replicas.stream().filter(live::contains).toList();
            int leader = inSync.isEmpty() ? TopicState.NO_LEADER : inSync.get(random.nextInt(inSync.size()));
            partitions.add(new Partition(number, leader, replicas, inSync));
        }
        return new TopicState(brokers, partitions, Map.of("cleanup.policy", "delete"), random.nextBoolean());
    }
}
