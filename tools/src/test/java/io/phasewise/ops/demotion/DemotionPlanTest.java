/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.phasewise.common.cli.UsageException;
import io.phasewise.ops.demotion.PartitionState.Reassignment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class DemotionPlanTest {

    private static PartitionState partition(
            int number, int leader, List<Integer> replicas, Set<Integer> inSync, int minimum) {
        return new PartitionState(orders(number), "id", leader, replicas, inSync, minimum, Optional.empty());
    }

    private static DemotionPlan plan(PartitionState... partitions) {
        return DemotionPlan.of(2, List.of(partitions), topic -> false);
    }

    private static TopicPartition orders(int number) {
        return new TopicPartition("orders", number);
    }

    @Test
    void theBrokerGoesToTheEndWhereItLeadsOrIsPreferred() {
        DemotionPlan plan = plan(
                partition(2, 3, List.of(2, 3, 1), Set.of(1, 2, 3), 2),
                partition(1, 2, List.of(1, 2, 3), Set.of(1, 2, 3), 2),
                partition(0, 1, List.of(1, 2, 3), Set.of(1, 2, 3), 2));

        assertThat(plan.obstacles()).isEmpty();
        assertThat(plan.moves())
                .containsExactly(
                        new Move(orders(1), List.of(1, 2, 3), List.of(1, 3, 2)),
                        new Move(orders(2), List.of(2, 3, 1), List.of(3, 1, 2)));
    }

    @Test
    void anInSyncReplicaLeads() {
        DemotionPlan plan = plan(partition(0, 2, List.of(2, 3, 1), Set.of(1, 2), 1));

        assertThat(plan.moves()).extracting(Move::after).containsExactly(List.of(1, 3, 2));
    }

    @Test
    void refusesWhenTheOthersInSyncAreFewerThanTheMinimum() {
        DemotionPlan plan = plan(
                partition(0, 2, List.of(2, 3, 1), Set.of(1, 2), 2),
                partition(1, 2, List.of(2), Set.of(2), 1),
                partition(2, 2, List.of(2, 3, 1), Set.of(1, 2, 3), 2));

        assertThat(plan.obstacles())
                .containsExactly(
                        "orders-0: without broker 2 it has 1 in-sync replicas, min.insync.replicas is 2",
                        "orders-1: without broker 2 it has 0 in-sync replicas, min.insync.replicas is 1");
    }

    @Test
    void aPartitionThatIsAtItsMinimumElsewhereDoesNotMatter() {
        assertThat(plan(partition(0, 1, List.of(1, 2), Set.of(1, 2), 2)))
                .isEqualTo(new DemotionPlan(List.of(), List.of(), List.of(), Set.of()));
    }

    /** From 1, 2, 3 to 4, 5, 6: Kafka reports all six as replicas, and the first three are on their way out. */
    @Test
    void aPartitionThatIsBeingReassignedIsLeftAlone() {
        PartitionState moving = new PartitionState(
                orders(0),
                "id",
                2,
                List.of(4, 5, 6, 1, 2, 3),
                Set.of(1, 2, 3),
                1,
                Optional.of(new Reassignment(List.of(4, 5, 6), List.of(1, 2, 3))));

        DemotionPlan plan = plan(moving, partition(1, 2, List.of(2, 3), Set.of(2, 3), 1));

        assertThat(plan.left())
                .containsExactly("orders-0: a reassignment runs, which adds [4, 5, 6] and removes [1, 2, 3]");
        assertThat(plan.moves()).containsExactly(new Move(orders(1), List.of(2, 3), List.of(3, 2)));
        assertThat(plan.obstacles()).isEmpty();
    }

    @Test
    void ofTopicsToLeaveAloneItSaysInWhichTheBrokerLeads() {
        List<PartitionState> partitions = List.of(
                partition(0, 2, List.of(2, 3), Set.of(2, 3), 1), partition(1, 3, List.of(3, 2), Set.of(2, 3), 1));

        DemotionPlan all = DemotionPlan.of(2, partitions, "orders"::equals);

        assertThat(all).isEqualTo(new DemotionPlan(List.of(), List.of(), List.of(), Set.of("orders")));
        assertThat(DemotionPlan.of(1, partitions, "orders"::equals).kept()).isEmpty();
    }

    @Test
    void aBrokerThatIsNotThereIsRefusedWithThoseThatAre() {
        assertThatThrownBy(() -> check(9, 3, 1))
                .isInstanceOf(UsageException.class)
                .hasMessage("BROKER: there is no broker 9; allowed: 1, 2, 3");
    }

    @Test
    void aBrokerThatIsDownIsOneAsLongAsAPartitionNamesIt() {
        assertThatCode(() -> check(2, 1, 3)).doesNotThrowAnyException();
    }

    /** With a partition on brokers 1 and 2. */
    private static void check(int broker, Integer... alive) throws Exception {
        PartitionState partition = partition(0, 1, List.of(1, 2), Set.of(1), 1);
        DemotionPlan.checkBroker(broker, List.of(alive), List.of(partition));
    }
}
