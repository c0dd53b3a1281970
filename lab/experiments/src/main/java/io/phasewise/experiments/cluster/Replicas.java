/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import io.phasewise.lab.kafka.KafkaCluster;
import io.phasewise.lab.process.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartitionInfo;

/** Waits for brokers that are back to have caught up: until then a cluster is not at rest. */
public final class Replicas {
    private static final Duration BOUND = Duration.ofSeconds(90);

    private Replicas() {}

    /**
     * Waits until every partition has all its replicas in sync.
     *
     * @throws io.phasewise.lab.process.AwaitException when they are not within 90 s
     */
    public static void awaitInSync(KafkaCluster cluster) throws InterruptedException {
        Await.that("all replicas are in sync", BOUND)
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
                .filter(Replicas::lacksReplica)
                .count();
    }

    private static boolean lacksReplica(TopicPartitionInfo partition) {
        return partition.isr().size() < partition.replicas().size();
    }
}
