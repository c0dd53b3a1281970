/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static java.util.stream.Collectors.toMap;

import io.phasewise.canary.supervise.Problem;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsResult;
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
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes planned changes through the admin client; a change that is denied or fails becomes a
 * problem, never an exception, because the canary goes on with the topic as it is. Whether a topic
 * may be changed is left to {@link TopicOwnership}.
 *
 * <p>What it writes to a cluster: CreateTopics, CreatePartitions, AlterPartitionReassignments,
 * ElectLeaders (preferred) and IncrementalAlterConfigs, each for the configured topic only.
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
     * What came of a change.
     *
     * @param problem the problem met; empty when all went well
     * @param createdId the topic's id where this created it; empty otherwise, and on old brokers
     */
    public record Result(Optional<Problem> problem, String createdId) {
        private static final Result DONE = new Result(Optional.empty(), "");
    }

    /**
     * Makes one change.
     *
     * @param change from the planner
     */
    public Result apply(Change change) throws InterruptedException {
        try {
            String createdId = "";
            if (change instanceof Change.Create create) {
                createdId = create(create);
            } else if (change instanceof Change.Mark mark) {
                mark(mark);
            } else {
                Failures.get(submit(change));
            }
            LOG.info("{}: topic {}: {}", title, topic, change.words());
            return new Result(Optional.empty(), createdId);
        } catch (TopicExistsException | ElectionNotNeededException e) {
            return Result.DONE; // someone else was faster; if it is not a canary, its topic has no mark
        } catch (KafkaException e) {
            return new Result(Optional.of(problem(change, e)), "");
        }
    }

    /** A topic without a mark would be nobody's after the next restart, so none is created. */
    private String create(Change.Create create) throws InterruptedException {
        List<List<Integer>> replicas = create.assignments();
        Map<Integer, List<Integer>> byNumber =
                IntStream.range(0, replicas.size()).boxed().collect(toMap(i -> i, replicas::get));
        return withFirstAccepted(create.marks(), mark -> {
            Map<String, String> config = new HashMap<>(create.config());
            config.putAll(mark);
            NewTopic wanted = new NewTopic(topic, byNumber).configs(config);
            CreateTopicsResult result = admin.get().createTopics(List.of(wanted));
            Failures.get(result.all());
            return id(result);
        });
    }

    private String id(CreateTopicsResult created) throws InterruptedException {
        try {
            return Failures.get(created.topicId(topic)).toString();
        } catch (KafkaException e) {
            return ""; // who may not describe a topic is not told its id
        }
    }

    private void mark(Change.Mark mark) throws InterruptedException {
        withFirstAccepted(mark.marks(), setting -> {
            Failures.get(alter(setting));
            return "";
        });
    }

    /** Makes a change with one mark after the other, until the cluster accepts the setting. */
    private static String withFirstAccepted(List<Map<String, String>> marks, Attempt attempt)
            throws InterruptedException {
        for (Map<String, String> mark : marks.subList(0, marks.size() - 1)) {
            try {
                return attempt.with(mark);
            } catch (PolicyViolationException | InvalidConfigurationException e) {
                LOG.debug("{} is refused: {}", mark.keySet(), Failures.describe(e));
            }
        }
        return attempt.with(marks.get(marks.size() - 1));
    }

    private interface Attempt {
        String with(Map<String, String> mark) throws InterruptedException;
    }

    private Problem problem(Change change, KafkaException cause) {
        if (cause instanceof AuthorizationException) { // whose message may be the whole request
            return Problem.of(
                    "topic.manage." + change.kind(),
                    "topic %s: %s was denied: the canary's user needs %s (%s); give it that right, or"
                            + " switch this off and do it by hand",
                    topic,
                    change.kind(),
                    change.right(topic),
                    cause.getClass().getSimpleName());
        }
        if (change instanceof Change.Create create) {
            return Problem.of(
                    "topic.manage.create",
                    "topic %s: create %s: %s. It is created with a setting that marks it as the canary's (%s or %s)."
                            + " Allow that, or create the topic yourself and set topic.adopt: true: %s",
                    topic,
                    isRefusal(cause) ? "was denied" : "failed",
                    Failures.describe(cause),
                    OwnershipMark.SETTING,
                    OwnershipMark.FALLBACK_SETTING,
                    create.command(topic));
        }
        return Problem.of(
                "topic.manage." + change.kind(),
                isRefusal(cause)
                        ? "topic %s: %s was denied: %s; allow it, or switch it off and do it by hand"
                        : "topic %s: %s failed: %s",
                topic,
                change.kind(),
                Failures.describe(cause));
    }

    private static boolean isRefusal(KafkaException cause) {
        return cause instanceof AuthorizationException
                || cause instanceof PolicyViolationException
                || cause instanceof InvalidConfigurationException
                || cause instanceof UnsupportedVersionException;
    }

    private KafkaFuture<?> submit(Change change) {
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
        return alter(((Change.Configure) change).config());
    }

    private KafkaFuture<?> alter(Map<String, String> config) {
        Collection<AlterConfigOp> operations = config.entrySet().stream()
                .map(each -> new ConfigEntry(each.getKey(), each.getValue()))
                .map(entry -> new AlterConfigOp(entry, AlterConfigOp.OpType.SET))
                .toList();
        return admin.get()
                .incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), operations))
                .all();
    }
}
