/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.fault;

import io.phasewise.lab.kafka.KafkaCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Partitions that nobody writes to, and that every follower asks for all the same.
 *
 * @param partitions each with three replicas
 */
public record ManyPartitions(int partitions) implements Fault {
    private static final String TOPIC = "phasewise-lab-bystander";
    private static final Duration BOUND = Duration.ofSeconds(90);

    @Override
    public String about() {
        return partitions + " idle partitions with three replicas each";
    }

    @Override
    public Broken begin(KafkaCluster cluster) throws InterruptedException {
        boolean made = false;
        try {
            NewTopic idle = new NewTopic(TOPIC, partitions, (short) 3);
            cluster.admin()
                    .createTopics(List.of(idle))
                    .all()
                    .get(BOUND.toSeconds(), TimeUnit.SECONDS);
            made = true;
            return () -> delete(cluster);
        } catch (ExecutionException | TimeoutException e) {
            throw new UncheckedIOException(
                    new IOException("cannot make " + partitions + " partitions: " + e, e));
        } finally {
            if (!made) {
                delete(cluster);
            }
        }
    }

    private static void delete(KafkaCluster cluster) throws InterruptedException {
        try {
            cluster.admin()
                    .deleteTopics(List.of(TOPIC))
                    .all()
                    .get(BOUND.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw new UncheckedIOException(new IOException("cannot delete " + TOPIC, e));
            }
        }
    }
}
