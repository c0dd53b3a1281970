/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import io.phasewise.ops.demotion.ReassignmentBackup.Order;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * What is still to be done so that partitions have their order of replicas and their leader of
 * before a demotion: a pure function of the backup and of their state.
 *
 * @param moves where order or leader is to change. Where only the leader is, both orders are the
 *     same
 * @param gone partitions that no longer exist, a line for each: nothing of them can be undone
 * @param left partitions that must not be touched now, and why not, with what to do about it
 */
record RevertPlan(List<Move> moves, List<String> gone, Map<TopicPartition, String> left) {

    static RevertPlan of(List<Order> orders, List<PartitionState> partitions) {
        Map<TopicPartition, PartitionState> present = new LinkedHashMap<>();
        partitions.forEach(state -> present.put(state.partition(), state));
        List<Move> moves = new ArrayList<>();
        List<String> gone = new ArrayList<>();
        Map<TopicPartition, String> left = new LinkedHashMap<>();
        for (Order order : orders) {
            TopicPartition partition = order.topicPartition();
            PartitionState state = present.get(partition);
            if (state == null || order.isOfAnotherTopic(state.topicId())) {
                gone.add(partition + ": deleted since"
                        + (state == null ? "" : ", and made again by somebody: that one is left alone"));
                continue;
            }
            Optional<String> hindrance = hindrance(order, state);
            hindrance.ifPresent(why -> left.put(partition, why));
            boolean isBack = state.replicas().equals(order.replicas()) && state.leader() == order.leader();
            if (hindrance.isEmpty() && !isBack) {
                moves.add(new Move(partition, state.replicas(), order.replicas()));
            }
        }
        return new RevertPlan(moves, gone, left);
    }

    private static Optional<String> hindrance(Order order, PartitionState state) {
        if (state.reassignment().isPresent()) {
            return Optional.of(state.reassignment().get()
                    + ". Wait until it ends (kafka-reassign-partitions.sh --list), then run --revert again");
        }
        List<Integer> now = state.replicas();
        if (!new HashSet<>(now).equals(new HashSet<>(order.replicas()))) {
            return Optional.of("its replicas are %s, were %s: somebody has moved it".formatted(now, order.replicas()));
        }
        boolean ours = order.demoted() == null || now.equals(order.demoted());
        if (!ours && !now.equals(order.replicas())) {
            return Optional.of("its order is %s, the demotion made it %s: somebody has changed it since"
                    .formatted(now, order.demoted()));
        }
        return state.isInSync(order.leader())
                ? Optional.empty()
                : Optional.of("broker %d is not in sync. Run --revert again when it is".formatted(order.leader()));
    }
}
