/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.canary.config.ManageConfig;
import io.phasewise.canary.config.TopicConfig;
import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TopicPlannerTest {
    private static final ManageConfig ALL = new ManageConfig(true, true, true, true, true);
    private static final ManageConfig NONE = new ManageConfig(false, false, false, false, false);
    private static final Map<String, String> CONFIG =
            Map.of("message.timestamp.type", "LogAppendTime");

    @Test
    void createsOnePartitionPerBrokerEachLedByIts() {
        Plan plan = plan(3, ALL, state(brokers(1, 2, 3)));

        assertThat(plan.problems()).isEmpty();
        assertThat(plan.changes())
                .containsExactly(
                        new Change.Create(
                                List.of(List.of(1, 2, 3), List.of(2, 3, 1), List.of(3, 1, 2)),
                                settings(2)));
    }

    @Test
    void brokerIdsNeedNotBeContiguous() {
        Plan plan = plan(2, ALL, state(brokers(4, 100, 17)));

        assertThat(((Change.Create) plan.changes().get(0)).assignments())
                .containsExactly(List.of(4, 17), List.of(17, 100), List.of(100, 4));
    }

    @Test
    void replicasGoToDifferentRacksWhereThereAreSome() {
        List<Broker> racked =
                List.of(
                        broker(1, "a", true),
                        broker(2, "a", true),
                        broker(3, "b", true),
                        broker(4, "b", true));

        Plan plan = plan(2, ALL, state(racked));

        for (List<Integer> replicas : ((Change.Create) plan.changes().get(0)).assignments()) {
            assertThat(replicas.get(0) <= 2).isNotEqualTo(replicas.get(1) <= 2);
        }
    }

    @Test
    void whatIsAsItShouldBeIsLeftAlone() {
        assertThat(plan(3, ALL, sound()).changes()).isEmpty();
        assertThat(plan(3, NONE, sound()).problems()).isEmpty();
    }

    @Test
    void aNewBrokerGetsAPartition() {
        TopicState state = state(brokers(1, 2, 3, 4), sound().partitions());

        assertThat(plan(3, ALL, state).changes())
                .containsExactly(new Change.Expand(4, List.of(List.of(4, 1, 2))));
    }

    @Test
    void aBrokerThatIsDownKeepsItsPartition() {
        List<Broker> oneDown =
                List.of(broker(1, null, true), broker(2, null, false), broker(3, null, true));
        TopicState state =
                state(
                        oneDown,
                        List.of(
                                partition(0, 1, List.of(1, 2, 3), List.of(1, 3)),
                                partition(1, 3, List.of(2, 3, 1), List.of(3, 1)),
                                partition(2, 3, List.of(3, 1, 2), List.of(3, 1))));

        assertThat(plan(3, ALL, state)).isEqualTo(new Plan(List.of(), List.of()));
    }

    @Test
    void leadershipGoesBackOnceThePreferredLeaderIsInSync() {
        TopicState state =
                state(
                        brokers(1, 2, 3),
                        List.of(
                                partition(0, 1, List.of(1, 2, 3), List.of(1, 2, 3)),
                                partition(1, 3, List.of(2, 3, 1), List.of(3, 1, 2)),
                                partition(2, 3, List.of(3, 1, 2), List.of(3, 1))));

        assertThat(plan(3, ALL, state).changes()).containsExactly(new Change.Elect(1));
        assertThat(keys(plan(3, NONE, state))).containsExactly("topic.manage.elect");
    }

    @Test
    void aBrokerThatLeftIsReplacedAndItsPartitionIsSpare() {
        TopicState state =
                state(
                        brokers(1, 2, 4),
                        List.of(
                                partition(0, 1, List.of(1, 2, 3), List.of(1, 2)),
                                partition(1, 2, List.of(2, 3, 1), List.of(2, 1)),
                                partition(2, 1, List.of(3, 1, 2), List.of(1, 2))));

        assertThat(plan(3, ALL, state).changes())
                .containsExactly(
                        new Change.Reassign(0, List.of(1, 2, 4)),
                        new Change.Reassign(1, List.of(2, 1, 4)),
                        new Change.Reassign(2, List.of(4, 1, 2)));
    }

    @Test
    void aSparePartitionThatAlreadyHoldsAReplicaIsGivenFirst() {
        TopicState state =
                state(
                        brokers(1, 2),
                        List.of(
                                partition(0, 1, List.of(1), List.of(1)),
                                partition(1, 1, List.of(1), List.of(1)),
                                partition(2, 1, List.of(1, 2), List.of(1, 2))));

        assertThat(plan(2, ALL, state).changes())
                .contains(new Change.Reassign(2, List.of(2, 1)))
                .noneMatch(c -> c instanceof Change.Expand);
    }

    @Test
    void fewerBrokersThanReplicasIsAProblemAndCreatesNothing() {
        Plan plan = plan(3, ALL, state(brokers(1, 2)));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.problems())
                .containsExactly(
                        new Problem(
                                "topic.replication-factor",
                                "is 3, but the cluster has only 2 brokers"));
    }

    @Test
    void brokersThatAreDownDelayTheCreation() {
        Plan plan =
                plan(
                        3,
                        ALL,
                        state(
                                List.of(
                                        broker(1, null, true),
                                        broker(2, null, true),
                                        broker(3, null, false))));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.problems())
                .singleElement()
                .satisfies(p -> assertThat(p.message()).contains("2 of 3 brokers are up"));
    }

    @Test
    void aMissingTopicThatMayNotBeCreatedIsAProblem() {
        Plan plan = plan(3, NONE, state(brokers(1, 2, 3)));

        assertThat(plan.changes()).isEmpty();
        assertThat(keys(plan)).containsExactly("topic.manage.create");
    }

    @Test
    void tooFewReplicasAreRaisedOrReported() {
        TopicState state =
                state(
                        brokers(1, 2),
                        List.of(
                                partition(0, 1, List.of(1), List.of(1)),
                                partition(1, 2, List.of(2), List.of(2))));

        assertThat(plan(2, ALL, state).changes())
                .contains(
                        new Change.Reassign(0, List.of(1, 2)),
                        new Change.Reassign(1, List.of(2, 1)));
        assertThat(plan(2, NONE, state).problems())
                .contains(
                        new Problem(
                                "topic.replication-factor",
                                "is 2, but partition 0, 1 of topic canary has 1 replica; set it to"
                                        + " that, or switch topic.manage.reassign on"));
    }

    @Test
    void minInsyncReplicasNeverExceedTheReplicasThereAre() {
        TopicState state =
                new TopicState(
                        brokers(1),
                        List.of(partition(0, 1, List.of(1), List.of(1))),
                        settings(1),
                        true);

        assertThat(plan(3, new ManageConfig(true, true, false, true, true), state).changes())
                .isEmpty();
    }

    @Test
    void anotherTimestampTypeIsAlteredOrReported() {
        Map<String, String> wrong = new TreeMap<>(settings(2));
        wrong.put("message.timestamp.type", "CreateTime");
        TopicState state = new TopicState(sound().brokers(), sound().partitions(), wrong, true);

        assertThat(plan(3, ALL, state).changes())
                .containsExactly(
                        new Change.Configure(Map.of("message.timestamp.type", "LogAppendTime")));
        assertThat(plan(3, NONE, state).problems())
                .containsExactly(
                        new Problem(
                                "topic.config.message.timestamp.type",
                                "topic canary has message.timestamp.type=CreateTime, wanted"
                                        + " LogAppendTime; altering it is switched off"
                                        + " (topic.manage.configure)"));
    }

    @Test
    void settingsThatCannotBeReadAreNotAltered() {
        TopicState state = new TopicState(sound().brokers(), sound().partitions(), Map.of(), false);

        assertThat(plan(3, ALL, state)).isEqualTo(new Plan(List.of(), List.of()));
    }

    @Test
    void anUnmeasuredBrokerIsReportedWhenExpandingIsOff() {
        TopicState state = state(brokers(1, 2, 3, 4), sound().partitions());

        assertThat(plan(3, NONE, state).problems())
                .containsExactly(
                        new Problem(
                                "topic.manage.expand",
                                "no partition is led by broker 4, which is not measured; topic"
                                        + " canary needs 4 partitions"));
    }

    @Test
    void noLiveBrokerIsAProblem() {
        assertThat(keys(plan(1, ALL, state(List.of(broker(1, null, false))))))
                .containsExactly("bootstrap-servers");
    }

    /** What a correct cluster makes of a plan. */
    static TopicState carriedOut(TopicState state, Plan plan) {
        Map<Integer, List<Integer>> replicas = new TreeMap<>();
        state.partitions().forEach(p -> replicas.put(p.number(), p.replicas()));
        Map<String, String> config = new TreeMap<>(state.config());
        boolean known = state.configKnown();
        Set<Integer> elected = new HashSet<>();
        for (Change change : plan.changes()) {
            if (change instanceof Change.Create create) {
                create.assignments().forEach(r -> replicas.put(replicas.size(), r));
                config.putAll(create.config());
                known = true;
            } else if (change instanceof Change.Expand expand) {
                expand.assignments().forEach(r -> replicas.put(replicas.size(), r));
                assertThat(replicas).hasSize(expand.total());
            } else if (change instanceof Change.Reassign reassign) {
                replicas.put(reassign.partition(), reassign.replicas());
            } else if (change instanceof Change.Elect elect) {
                elected.add(elect.partition());
            } else if (change instanceof Change.Configure configure) {
                config.putAll(configure.config());
            }
        }
        Set<Integer> live = new HashSet<>();
        state.brokers().stream().filter(Broker::live).forEach(b -> live.add(b.id()));
        List<Partition> partitions = new ArrayList<>();
        replicas.forEach(
                (number, list) -> {
                    List<Integer> inSync = list.stream().filter(live::contains).toList();
                    boolean fresh = number >= state.partitions().size();
                    int before =
                            fresh ? TopicState.NO_LEADER : state.partitions().get(number).leader();
                    boolean keeps = !fresh && !elected.contains(number) && inSync.contains(before);
                    int leader =
                            keeps
                                    ? before
                                    : inSync.isEmpty() ? TopicState.NO_LEADER : inSync.get(0);
                    partitions.add(new Partition(number, leader, list, inSync));
                });
        return new TopicState(state.brokers(), partitions, config, known);
    }

    static Plan plan(int replicationFactor, ManageConfig manage, TopicState state) {
        return planner(replicationFactor, manage).plan(state);
    }

    static TopicPlanner planner(int replicationFactor, ManageConfig manage) {
        return new TopicPlanner(
                new TopicConfig(
                        "canary",
                        replicationFactor,
                        Math.max(1, replicationFactor - 1),
                        CONFIG,
                        manage));
    }

    static Map<String, String> settings(int minInsync) {
        Map<String, String> config = new TreeMap<>(CONFIG);
        config.put("min.insync.replicas", String.valueOf(minInsync));
        return config;
    }

    private static TopicState sound() {
        return state(
                brokers(1, 2, 3),
                List.of(
                        partition(0, 1, List.of(1, 2, 3), List.of(1, 2, 3)),
                        partition(1, 2, List.of(2, 3, 1), List.of(1, 2, 3)),
                        partition(2, 3, List.of(3, 1, 2), List.of(1, 2, 3))));
    }

    private static TopicState state(List<Broker> brokers, List<Partition> partitions) {
        int replicas = partitions.stream().mapToInt(p -> p.replicas().size()).min().orElse(1);
        return new TopicState(brokers, partitions, settings(Math.max(1, replicas - 1)), true);
    }

    private static TopicState state(List<Broker> brokers) {
        return new TopicState(brokers, List.of(), Map.of(), false);
    }

    private static List<Broker> brokers(int... ids) {
        return Arrays.stream(ids).mapToObj(id -> broker(id, null, true)).toList();
    }

    static Broker broker(int id, String rack, boolean live) {
        return new Broker(id, "b" + id, 9092, rack, live);
    }

    private static Partition partition(
            int number, int leader, List<Integer> replicas, List<Integer> inSync) {
        return new Partition(number, leader, replicas, inSync);
    }

    private static List<String> keys(Plan plan) {
        return plan.problems().stream().map(Problem::key).toList();
    }
}
