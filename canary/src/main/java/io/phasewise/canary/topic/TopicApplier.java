/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static java.util.stream.Collectors.toMap;

import io.phasewise.canary.supervise.Problem;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaException;
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
            Failures.get(submit(change));
            LOG.info("{}: topic {}: {}", title, topic, change);
            return Optional.empty();
        } catch (TopicExistsException | ElectionNotNeededException e) {
            return Optional.empty(); // someone else was faster
        } catch (KafkaException e) {
            return Optional.of(problem(change, e));
        }
    }

    private Problem problem(Change change, KafkaException cause) {
        if (cause instanceof AuthorizationException) {
            return Problem.of(
                    "topic.manage." + change.kind(),
                    "topic %s: %s was denied: the canary's user needs %s (%s); give it that right, or"
                            + " switch this off and do it by hand",
                    topic,
                    change.kind(),
                    change.right(topic),
                    Failures.describe(cause));
        }
        boolean denied = cause instanceof PolicyViolationException || cause instanceof UnsupportedVersionException;
        return Problem.of(
                "topic.manage." + change.kind(),
                denied
                        ? "topic %s: %s was denied: %s; allow it, or switch it off and do it by hand"
                        : "topic %s: %s failed: %s",
                topic,
                change.kind(),
                Failures.describe(cause));
    }

    private KafkaFuture<?> submit(Change change) {
        if (change instanceof Change.Create create) {
            List<List<Integer>> replicas = create.assignments();
            Map<Integer, List<Integer>> byNumber =
                    IntStream.range(0, replicas.size()).boxed().collect(toMap(i -> i, replicas::get));
            NewTopic wanted = new NewTopic(topic, byNumber).configs(create.config());
            return admin.get().createTopics(List.of(wanted)).all();
        }
        if (change instanceof Change.Expand expand) {
            NewPartitions wanted = NewPartitions.increaseTo(expand.total(), expand.assignments());
            return admin.get().createPartitions(Map.of(topic, wanted)).all();
        }
        if (change instanceof Change.Reassign reassign) {
            TopicPartition partition = new TopicPartition(topic, reassign.partition());
            var wanted = Optional.of(new NewPartitionReassignment(reassign.replicas()));
            return admin.get()
                    .alterPartitionReassignments(Map.of(partition, wanted))
                    .all();
        }
        if (change instanceof Change.Elect elect) {
            TopicPartition partition = new TopicPartition(topic, elect.partition());
            return admin.get()
                    .electLeaders(ElectionType.PREFERRED, Set.of(partition))
                    .all();
        }
        Collection<AlterConfigOp> operations = ((Change.Configure) change)
                .config().entrySet().stream()
                        .map(each -> new ConfigEntry(each.getKey(), each.getValue()))
                        .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
                        .toList();
        return admin.get()
                .incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), operations))
                .all();
    }
}
