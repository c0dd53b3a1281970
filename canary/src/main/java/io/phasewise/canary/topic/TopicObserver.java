/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.status.Problem;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * Looks at the cluster and the topic through the admin client; deciding what should change is left
 * to {@link TopicPlanner}. Used by one thread.
 */
public final class TopicObserver {
    private final Admin admin;
    private final String topic;
    private final Membership membership;
    private boolean tellsOfFenced = true;

    /**
     * What was seen.
     *
     * @param clusterId Kafka's id of the cluster; may be null on very old brokers
     * @param state cluster and topic
     * @param problems what could not be seen, and why; may be empty
     */
    public record Observation(String clusterId, TopicState state, List<Problem> problems) {}

    /**
     * @param admin not closed by this
     * @param topic the topic's name
     * @param nanoClock monotonic nanoseconds
     */
    public TopicObserver(Admin admin, String topic, LongSupplier nanoClock) {
        this.admin = admin;
        this.topic = topic;
        this.membership = new Membership(nanoClock);
    }

    /**
     * Looks once.
     *
     * @throws KafkaException when the cluster cannot be reached or refuses to tell
     */
    public Observation observe() throws InterruptedException {
        return look(true);
    }

    /**
     * Looks once, leaving the topic's settings out: for a topic that is somebody else's to set.
     *
     * @throws KafkaException when the cluster cannot be reached or refuses to tell
     */
    public Observation look() throws InterruptedException {
        return look(false);
    }

    private Observation look(boolean settings) throws InterruptedException {
        DescribeClusterResult cluster = describeCluster();
        Collection<Node> nodes = get(cluster.nodes());
        String clusterId = get(cluster.clusterId());
        List<Partition> partitions = partitions();

        List<Broker> registered = new ArrayList<>();
        for (Node node : nodes) {
            boolean live = !node.isFenced() && !node.isEmpty();
            registered.add(
                    new Broker(
                            node.id(),
                            node.host() == null ? "" : node.host(),
                            node.port(),
                            node.rack(),
                            live));
        }
        Set<Integer> replicas = new HashSet<>();
        partitions.forEach(p -> replicas.addAll(p.replicas()));
        List<Broker> members = membership.members(registered, replicas, tellsOfFenced);

        List<Problem> problems = new ArrayList<>();
        Map<String, String> config = new HashMap<>();
        boolean configKnown = settings && !partitions.isEmpty() && config(config, problems);
        return new Observation(
                clusterId, new TopicState(members, partitions, config, configKnown), problems);
    }

    /**
     * Where the log of each partition ends now.
     *
     * @param partitions which ones
     * @return by partition; those that cannot be told now are left out
     */
    public Map<Integer, Long> endOffsets(Collection<Integer> partitions)
            throws InterruptedException {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        partitions.forEach(p -> question.put(new TopicPartition(topic, p), OffsetSpec.latest()));
        ListOffsetsResult answer = admin.listOffsets(question);
        Map<Integer, Long> offsets = new HashMap<>();
        KafkaException refusal = null;
        for (TopicPartition partition : question.keySet()) {
            try {
                offsets.put(partition.partition(), get(answer.partitionResult(partition)).offset());
            } catch (KafkaException e) {
                refusal = e; // a partition without a leader must not keep the others from starting
            }
        }
        if (offsets.isEmpty() && refusal != null) {
            throw refusal;
        }
        return offsets;
    }

    /** Fenced brokers (registered, but down) are told of from Kafka 4.0 on (KIP-1073). */
    private DescribeClusterResult describeCluster() throws InterruptedException {
        if (tellsOfFenced) {
            try {
                DescribeClusterResult result =
                        admin.describeCluster(
                                new DescribeClusterOptions().includeFencedBrokers(true));
                get(result.nodes());
                return result;
            } catch (UnsupportedVersionException e) {
                tellsOfFenced = false;
            }
        }
        return admin.describeCluster();
    }

    private List<Partition> partitions() throws InterruptedException {
        TopicDescription description;
        try {
            description = get(admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
        } catch (UnknownTopicOrPartitionException e) {
            return List.of();
        }
        List<Partition> partitions = new ArrayList<>();
        for (TopicPartitionInfo info : description.partitions()) {
            Node leader = info.leader();
            partitions.add(
                    new Partition(
                            info.partition(),
                            leader == null || leader.isEmpty() ? TopicState.NO_LEADER : leader.id(),
                            info.replicas().stream().map(Node::id).toList(),
                            info.isr().stream().map(Node::id).toList()));
        }
        return partitions;
    }

    private boolean config(Map<String, String> config, List<Problem> problems)
            throws InterruptedException {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try {
            Config described = get(admin.describeConfigs(List.of(resource)).values().get(resource));
            described.entries().forEach(e -> config.put(e.name(), e.value()));
            return true;
        } catch (ApiException e) {
            problems.add(
                    new Problem(
                            "topic.manage.configure",
                            "the settings of topic "
                                    + topic
                                    + " cannot be read: "
                                    + Failures.describe(e)));
            return false;
        }
    }

    private static <T> T get(org.apache.kafka.common.KafkaFuture<T> future)
            throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw Failures.kafkaException(e.getCause());
        }
    }
}
