/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.phasewise.ops.demotion.PartitionState.Reassignment;
import io.phasewise.ops.demotion.ReassignmentBackup.Order;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Of a partition that had the order 2, 1, 3 before broker 2 was demoted, and 1, 3, 2 since. */
class RevertPlanTest {

    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final List<Integer> BEFORE = List.of(2, 1, 3);
    private static final List<Integer> DEMOTED = List.of(1, 3, 2);
    private static final Set<Integer> ALL = Set.of(1, 2, 3);

    private static RevertPlan plan(PartitionState... now) {
        return RevertPlan.of(List.of(new Order("orders", 0, BEFORE, "id", DEMOTED)), List.of(now));
    }

    private static PartitionState now(String topicId, int leader, List<Integer> replicas, Set<Integer> inSync) {
        return new PartitionState(PARTITION, topicId, leader, replicas, inSync, 1, Optional.empty());
    }

    private static void isLeft(RevertPlan plan, String why) {
        assertThat(plan.moves()).isEmpty();
        assertThat(plan.gone()).isEmpty();
        assertThat(plan.left()).containsOnlyKeys(PARTITION);
        assertThat(plan.left().get(PARTITION)).contains(why);
    }

    @Test
    void whatTheDemotionHasLeftItMovesBack() {
        assertThat(plan(now("id", 1, DEMOTED, ALL)).moves()).containsExactly(new Move(PARTITION, DEMOTED, BEFORE));
    }

    @Test
    void whatIsBackIsNotTouched() {
        RevertPlan plan = plan(now("id", 2, BEFORE, ALL));

        assertThat(plan.moves()).isEmpty();
        assertThat(plan.left()).isEmpty();
    }

    @Test
    void anOrderThatIsBackWithoutItsLeaderIsNotBack() {
        assertThat(plan(now("id", 1, BEFORE, ALL)).moves()).containsExactly(new Move(PARTITION, BEFORE, BEFORE));
    }

    @Test
    void aReassignmentThatRunsIsWaitedFor() {
        PartitionState moving = new PartitionState(
                PARTITION, "id", 1, List.of(4, 1, 3, 2), ALL, 1, Optional.of(new Reassignment(List.of(4), List.of(2))));

        isLeft(plan(moving), "a reassignment runs, which adds [4] and removes [2]. Wait until it ends");
    }

    @Test
    void whatSomebodyElseHasMovedIsLeftAlone() {
        isLeft(plan(now("id", 1, List.of(1, 3), Set.of(1, 3))), "its replicas are [1, 3], were [2, 1, 3]");
        isLeft(plan(now("id", 3, List.of(3, 1, 2), ALL)), "its order is [3, 1, 2], the demotion made it [1, 3, 2]");
    }

    @Test
    void aBrokerThatIsNotInSyncIsWaitedFor() {
        isLeft(plan(now("id", 1, DEMOTED, Set.of(1, 3))), "broker 2 is not in sync. Run --revert again when it is");
    }

    @Test
    void ofATopicThatWasDeletedNothingCanBeUndone() {
        RevertPlan plan = plan();

        assertThat(plan.gone()).containsExactly("orders-0: deleted since");
        assertThat(plan.left()).isEmpty();
    }

    @Test
    void aTopicThatWasMadeAgainIsAnotherOne() {
        RevertPlan plan = plan(now("another", 1, DEMOTED, ALL));

        assertThat(plan.gone()).singleElement().asString().startsWith("orders-0: deleted since, and made again");
        assertThat(plan.moves()).isEmpty();
    }

    /** Brokers that were upgraded since, or that a very old one answers for. */
    @Test
    void withoutATopicIdItIsTakenForTheSameTopic() {
        Move back = new Move(PARTITION, DEMOTED, BEFORE);

        assertThat(plan(now(null, 1, DEMOTED, ALL)).moves()).containsExactly(back);
        assertThat(RevertPlan.of(
                                List.of(new Order("orders", 0, BEFORE, null, DEMOTED)),
                                List.of(now("id", 1, DEMOTED, ALL)))
                        .moves())
                .containsExactly(back);
    }

    @Test
    void aFileThatSomebodyElseHasWrittenIsCarriedOutWhereTheReplicasAreTheSame() {
        RevertPlan plan = RevertPlan.of(
                List.of(new Order("orders", 0, BEFORE, null, null)), List.of(now("id", 3, List.of(3, 1, 2), ALL)));

        assertThat(plan.moves()).containsExactly(new Move(PARTITION, List.of(3, 1, 2), BEFORE));
    }
}
