/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.experiments.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Requests to a cluster that faults need, each with a bound. */
public final class Administration {
    private static final long BOUND_SECONDS = 30;

    private Administration() {}

    /**
     * Waits for an answer.
     *
     * @param what the request does, for messages
     * @throws UncheckedIOException when the cluster refuses or does not answer; its cause's
     *     cause is the exception that the cluster gave
     */
    public static <T> T await(String what, KafkaFuture<T> answer) throws InterruptedException {
        try {
            return answer.get(BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw failed(what, refused.getCause());
        } catch (TimeoutException silent) {
            throw failed(what, new TimeoutException("no answer within " + BOUND_SECONDS + " s"));
        }
    }

    /** The exception for a request that failed. */
    public static UncheckedIOException failed(String what, Throwable reason) {
        String said = reason.getMessage();
        String why = said == null ? reason.getClass().getSimpleName() : said;
        IOException failure = new IOException("cannot " + what + ": " + why, reason);
        return new UncheckedIOException(failure.getMessage(), failure);
    }

    /**
     * Changes a setting of brokers while they run.
     *
     * @param broker id; empty for all brokers
     * @param value null for the value of the broker's file
     */
    public static void configure(Admin admin, String broker, String key, String value) throws InterruptedException {
        AlterConfigOp operation = new AlterConfigOp(
                new ConfigEntry(key, value), value == null ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET);
        ConfigResource where = new ConfigResource(ConfigResource.Type.BROKER, broker);
        await(
                "set " + key,
                admin.incrementalAlterConfigs(Map.of(where, List.of(operation))).all());
    }

    /** Makes a topic. */
    public static void create(Admin admin, NewTopic topic) throws InterruptedException {
        String asked = String.format(
                "create topic %s with %d partitions, replication factor %d",
                topic.name(), topic.numPartitions(), topic.replicationFactor());
        await(asked, admin.createTopics(List.of(topic)).all());
    }

    /** Deletes a topic, if there is one. */
    public static void delete(Admin admin, String topic) throws InterruptedException {
        try {
            await("delete topic " + topic, admin.deleteTopics(List.of(topic)).all());
        } catch (UncheckedIOException refused) {
            if (!(refused.getCause().getCause() instanceof UnknownTopicOrPartitionException)) {
                throw refused;
            }
        }
    }
}
