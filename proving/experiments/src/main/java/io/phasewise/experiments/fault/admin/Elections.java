/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import io.phasewise.experiments.fault.RepeatedAction;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * Each partition of a topic gets its next replica as its leader, again and again. No data is moved. The order of the
 * replicas is not given back: a canary does that by itself.
 *
 * @param topic whose partitions
 * @param every so often
 */
public record Elections(String topic, Duration every) implements Fault {
    @Override
    public ActiveFault begin(FaultTarget target) {
        Admin admin = target.cluster().admin();
        return RepeatedAction.every(every, () -> elect(admin), () -> {});
    }

    private void elect(Admin admin) throws IOException, InterruptedException {
        List<TopicPartitionInfo> partitions = Administration.await(
                        "describe " + topic,
                        admin.describeTopics(List.of(topic)).allTopicNames())
                .get(topic)
                .partitions();
        Map<TopicPartition, Optional<NewPartitionReassignment>> orders = new HashMap<>();
        for (TopicPartitionInfo each : partitions) {
            List<Integer> order =
                    new ArrayList<>(each.replicas().stream().map(Node::id).toList());
            Collections.rotate(order, -1);
            orders.put(new TopicPartition(topic, each.partition()), Optional.of(new NewPartitionReassignment(order)));
        }
        Administration.await(
                "order replicas of " + topic,
                admin.alterPartitionReassignments(orders).all());
        Set<TopicPartition> all = new HashSet<>(orders.keySet());
        Administration.await(
                "elect leaders of " + topic,
                admin.electLeaders(ElectionType.PREFERRED, all).partitions());
    }
}
