/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.supervise.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ElectionNotNeededException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes planned changes through the admin client; a change that is denied or fails becomes a
 * problem, never an exception, because the canary goes on with the topic as it is.
 */
public final class TopicApplier {
    private static final Logger LOG = LoggerFactory.getLogger(TopicApplier.class);

    private final Supplier<? extends Admin> admin;
    private final String title;
    private final String topic;

    /**
     * @param admin the client in use; not closed by this
     * @param title what the log calls the cluster
     * @param topic the topic's name
     */
    public TopicApplier(Supplier<? extends Admin> admin, String title, String topic) {
        this.admin = admin;
        this.title = title;
        this.topic = topic;
    }

    /**
     * Makes one change.
     *
     * @param change from the planner
     * @return the problem met, or empty when all went well
     */
    public Optional<Problem> apply(Change change) throws InterruptedException {
        try {
            submit(change).get();
            LOG.info("{}: topic {}: {}", title, topic, change);
            return Optional.empty();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof TopicExistsException
                    || cause instanceof ElectionNotNeededException) {
                return Optional.empty(); // someone else was faster
            }
            return Optional.of(problem(change, cause));
        }
    }

    private Problem problem(Change change, Throwable cause) {
        boolean denied =
                cause instanceof AuthorizationException
                        || cause instanceof PolicyViolationException
                        || cause instanceof UnsupportedVersionException;
        return new Problem(
                "topic.manage." + change.kind(),
                "topic %s: %s%s%s%s"
                        .formatted(
                                topic,
                                change.kind(),
                                (denied ? " was denied: " : " failed: "),
                                Failures.describe(cause),
                                (denied ? "; allow it, or switch it off and do it by hand" : "")));
    }

    private KafkaFuture<?> submit(Change change) {
        if (change instanceof Change.Create create) {
            return admin.get()
                    .createTopics(
                            List.of(
                                    new NewTopic(topic, byNumber(create.assignments()))
                                            .configs(create.config())))
                    .all();
        }
        if (change instanceof Change.Expand expand) {
            return admin.get()
                    .createPartitions(
                            Map.of(
                                    topic,
                                    NewPartitions.increaseTo(expand.total(), expand.assignments())))
                    .all();
        }
        if (change instanceof Change.Reassign reassign) {
            return admin.get()
                    .alterPartitionReassignments(
                            Map.of(
                                    new TopicPartition(topic, reassign.partition()),
                                    Optional.of(new NewPartitionReassignment(reassign.replicas()))))
                    .all();
        }
        if (change instanceof Change.Elect elect) {
            return admin.get()
                    .electLeaders(
                            ElectionType.PREFERRED,
                            Set.of(new TopicPartition(topic, elect.partition())))
                    .all();
        }
        Map<String, String> config = ((Change.Configure) change).config();
        Collection<AlterConfigOp> operations = new ArrayList<>();
        config.forEach(
                (name, value) ->
                        operations.add(
                                new AlterConfigOp(
                                        new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
        return admin.get()
                .incrementalAlterConfigs(
                        Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), operations))
                .all();
    }

    private static Map<Integer, List<Integer>> byNumber(List<List<Integer>> assignments) {
        Map<Integer, List<Integer>> map = new HashMap<>();
        for (int i = 0; i < assignments.size(); i++) {
            map.put(i, assignments.get(i));
        }
        return map;
    }
}
