/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.lab.kafka.KafkaCluster;
import java.util.List;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * Partitions that nobody writes to, and that every follower asks for all the same.
 *
 * @param partitions each with three replicas
 */
public record ManyPartitions(int partitions) implements Fault {
    private static final String TOPIC = "phasewise-lab-bystander";

    @Override
    public String about() {
        return partitions + " idle partitions with three replicas each";
    }

    @Override
    public Broken begin(FaultTarget target) throws InterruptedException {
        KafkaCluster cluster = target.cluster();
        boolean made = false;
        try {
            NewTopic idle = new NewTopic(TOPIC, partitions, (short) 3);
            Administration.done(
                    "make " + partitions + " partitions",
                    cluster.admin().createTopics(List.of(idle)).all());
            made = true;
            return () -> Administration.delete(cluster.admin(), TOPIC);
        } finally {
            if (!made) {
                Administration.delete(cluster.admin(), TOPIC);
            }
        }
    }
}
