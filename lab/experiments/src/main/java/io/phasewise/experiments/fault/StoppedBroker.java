/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartitionInfo;

/**
 * A broker that was shut down in an orderly way and stays down; started again, it is back when
 * every partition has all its replicas in sync.
 *
 * @param broker its id
 */
public record StoppedBroker(int broker) implements Fault {
    private static final Duration IN_SYNC_BOUND = Duration.ofSeconds(90);

    @Override
    public String about() {
        return "broker " + broker + " is down";
    }

    @Override
    public Broken begin(KafkaCluster cluster) throws InterruptedException {
        boolean down = false;
        try {
            cluster.broker(broker).stop();
            down = true;
            return () -> back(cluster);
        } finally {
            if (!down) {
                back(cluster);
            }
        }
    }

    private void back(KafkaCluster cluster) throws InterruptedException {
        cluster.broker(broker).start();
        Await.that("all replicas are in sync", IN_SYNC_BOUND)
                .every(Duration.ofMillis(200))
                .until(
                        () -> {
                            long behind = behind(cluster);
                            return behind == 0
                                    ? Optional.empty()
                                    : Optional.of(behind + " partitions are not");
                        });
    }

    private static long behind(KafkaCluster cluster) throws InterruptedException {
        Set<String> topics =
                Administration.done("list topics", cluster.admin().listTopics().names());
        return Administration.done(
                        "describe topics", cluster.admin().describeTopics(topics).allTopicNames())
                .values()
                .stream()
                .flatMap(topic -> topic.partitions().stream())
                .filter(StoppedBroker::lacksReplica)
                .count();
    }

    private static boolean lacksReplica(TopicPartitionInfo partition) {
        return partition.isr().size() < partition.replicas().size();
    }
}
