/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault.admin;

import io.phasewise.experiments.cluster.Administration;
import io.phasewise.experiments.fault.ActiveFault;
import io.phasewise.experiments.fault.Fault;
import io.phasewise.experiments.fault.FaultTarget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.TopicPartition;

/**
 * The only partition of a topic gets other replicas: its data is copied to them.
 *
 * @param topic that is there already
 * @param replicas ids of the brokers that have it then; it stays there
 */
public record MovedReplicas(String topic, List<Integer> replicas) implements Fault {
    @Override
    public ActiveFault begin(FaultTarget target) throws InterruptedException {
        Admin admin = target.cluster().admin();
        Administration.await(
                "reassign " + topic,
                admin.alterPartitionReassignments(Map.of(
                                new TopicPartition(topic, 0), Optional.of(new NewPartitionReassignment(replicas))))
                        .all());
        return () -> {};
    }
}
