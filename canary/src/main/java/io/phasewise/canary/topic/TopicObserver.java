/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Looks at the cluster and the topic through the admin client; deciding what should change is left
 * to {@link TopicPlanner}. Used by one thread.
 */
public final class TopicObserver {
    private final Supplier<? extends Admin> admin;
    private final String topic;
    private final Membership membership;

    /**
     * What was seen.
     *
     * @param clusterId Kafka's id of the cluster; may be null on very old brokers
     * @param state cluster and topic
     * @param problems what could not be seen, and why; may be empty
     * @param isTransient whether what could not be seen may be seen soon
     */
    public record Observation(String clusterId, TopicState state, List<Problem> problems, boolean isTransient) {}

    /**
     * @param admin the client in use; not closed by this
     * @param topic the topic's name
     * @param nanoClock monotonic nanoseconds
     */
    public TopicObserver(Supplier<? extends Admin> admin, String topic, LongSupplier nanoClock) {
        this.admin = admin;
        this.topic = topic;
        this.membership = new Membership(nanoClock);
    }

    /**
     * Looks once.
     *
     * @param brokers the cluster's
     * @throws KafkaException when the cluster cannot be reached or refuses to answer
     */
    public Observation look(ClusterObserver.Brokers brokers) throws InterruptedException {
        Optional<TopicDescription> description = description();
        List<Partition> partitions = description.map(TopicObserver::partitions).orElse(List.of());
        Set<Integer> replicas = new HashSet<>();
        partitions.forEach(p -> replicas.addAll(p.replicas()));
        List<Broker> members = membership.members(brokers.registered(), replicas, brokers.fencedToo());

        List<Problem> problems = new ArrayList<>();
        Map<String, String> config = new HashMap<>();
        Settings read = partitions.isEmpty() ? Settings.REFUSED : config(config, problems);
        return new Observation(
                brokers.clusterId(),
                new TopicState(
                        members,
                        partitions,
                        config,
                        read == Settings.KNOWN,
                        description.map(each -> each.topicId().toString()).orElse("")),
                problems,
                read == Settings.NOT_YET);
    }

    /**
     * Where the log of each partition ends now.
     *
     * @param partitions which ones
     * @return by partition; those that are not known now are left out
     */
    public Map<Integer, Long> endOffsets(Collection<Integer> partitions) throws InterruptedException {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        partitions.forEach(p -> question.put(new TopicPartition(topic, p), OffsetSpec.latest()));
        ListOffsetsResult answer = admin.get().listOffsets(question);
        Map<Integer, Long> offsets = new HashMap<>();
        KafkaException refusal = null;
        for (TopicPartition partition : question.keySet()) {
            try {
                offsets.put(
                        partition.partition(),
                        Failures.get(answer.partitionResult(partition)).offset());
            } catch (KafkaException e) {
                refusal = e; // a partition without a leader must not keep the others from starting
            }
        }
        if (offsets.isEmpty() && refusal != null) {
            throw refusal;
        }
        return offsets;
    }

    /**
     * The partitions whose replicas are being moved now, whoever asked for that.
     *
     * @throws KafkaException when the cluster does not say
     */
    public Set<Integer> reassigning(Collection<Integer> partitions) throws InterruptedException {
        Set<TopicPartition> question = new HashSet<>();
        partitions.forEach(p -> question.add(new TopicPartition(topic, p)));
        Set<Integer> moving = new HashSet<>();
        Failures.get(admin.get().listPartitionReassignments(question).reassignments())
                .keySet()
                .forEach(p -> moving.add(p.partition()));
        return moving;
    }

    private Optional<TopicDescription> description() throws InterruptedException {
        try {
            var answer = admin.get().describeTopics(List.of(topic)).topicNameValues();
            return Optional.of(Failures.get(answer.get(topic)));
        } catch (UnknownTopicOrPartitionException e) {
            return Optional.empty();
        }
    }

    private static List<Partition> partitions(TopicDescription description) {
        List<Partition> partitions = new ArrayList<>();
        for (TopicPartitionInfo info : description.partitions()) {
            Node leader = info.leader();
            partitions.add(new Partition(
                    info.partition(),
                    leader == null || leader.isEmpty() ? TopicState.NO_LEADER : leader.id(),
                    info.replicas().stream().map(Node::id).toList(),
                    info.isr().stream().map(Node::id).toList()));
        }
        return partitions;
    }

    private enum Settings {
        KNOWN,
        /** The broker that answered does not know the topic yet. */
        NOT_YET,
        REFUSED
    }

    private Settings config(Map<String, String> config, List<Problem> problems) throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            var answer = admin.get().describeConfigs(List.of(resource)).values();
            Failures.get(answer.get(resource)).entries().forEach(each -> config.put(each.name(), each.value()));
            return Settings.KNOWN;
        } catch (UnknownTopicOrPartitionException e) {
            return Settings.NOT_YET;
        } catch (RetriableException e) {
            throw e; // no answer: a later look asks again, and what is measured goes on
        } catch (ApiException e) {
            problems.add(Problem.of(
                    "topic.manage.configure",
                    e instanceof AuthorizationException
                            ? "the settings of topic %1$s cannot be read: the canary's user needs"
                                    + " DescribeConfigs on topic %1$s (%2$s)"
                            : "the settings of topic %s cannot be read: %s",
                    topic,
                    Failures.describe(e)));
            return Settings.REFUSED;
        }
    }
}
