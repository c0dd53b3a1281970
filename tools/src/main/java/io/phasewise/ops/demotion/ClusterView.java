/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import io.phasewise.ops.demotion.PartitionState.Reassignment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.PartitionReassignment;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Reads the brokers and partitions of a cluster. Changes nothing. */
final class ClusterView {

    private static final long BOUND_SECONDS = 60;

    private final Admin admin;

    /**
     * @param admin stays open
     */
    ClusterView(Admin admin) {
        this.admin = admin;
    }

    String clusterId() throws DemotionException, InterruptedException {
        return answer("read the cluster's id", admin.describeCluster().clusterId());
    }

    List<Integer> brokers() throws DemotionException, InterruptedException {
        return answer("list the brokers", admin.describeCluster().nodes()).stream()
                .map(Node::id)
                .toList();
    }

    /** All partitions. */
    List<PartitionState> partitions() throws DemotionException, InterruptedException {
        ListTopicsOptions all = new ListTopicsOptions().listInternal(true);
        return partitions(answer("list the topics", admin.listTopics(all).names()));
    }

    /**
     * The partitions of some topics; without those of topics that do not exist.
     *
     * <p>Brokers are asked for the partitions, and the controller for the reassignments, before and
     * after: one that begins or ends meanwhile is seen, too.
     */
    List<PartitionState> partitions(Set<String> topics) throws DemotionException, InterruptedException {
        Map<TopicPartition, Reassignment> reassignments = reassignments();
        Map<String, TopicDescription> described = new TreeMap<>();
        Map<String, KafkaFuture<TopicDescription>> answers =
                admin.describeTopics(topics).topicNameValues();
        for (String topic : new TreeSet<>(topics)) {
            existing("describe the topic " + topic, answers.get(topic)).ifPresent(it -> described.put(topic, it));
        }
        Map<ConfigResource, KafkaFuture<Config>> configs = admin.describeConfigs(
                        described.keySet().stream().map(ClusterView::resource).toList())
                .values();
        reassignments.putAll(reassignments());
        List<PartitionState> states = new ArrayList<>();
        for (TopicDescription topic : described.values()) {
            Optional<Config> config = existing(
                    "read min.insync.replicas of the topic " + topic.name(), configs.get(resource(topic.name())));
            if (config.isEmpty()) {
                continue;
            }
            int minimum = Integer.parseInt(
                    config.get().get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value());
            for (TopicPartitionInfo info : topic.partitions()) {
                states.add(state(topic, info, minimum, reassignments));
            }
        }
        return states;
    }

    private static PartitionState state(
            TopicDescription topic,
            TopicPartitionInfo info,
            int minimum,
            Map<TopicPartition, Reassignment> reassignments) {
        TopicPartition partition = new TopicPartition(topic.name(), info.partition());
        return new PartitionState(
                partition,
                topic.topicId().equals(Uuid.ZERO_UUID) ? null : topic.topicId().toString(),
                Optional.ofNullable(info.leader()).map(Node::id).orElse(-1),
                info.replicas().stream().map(Node::id).toList(),
                info.isr().stream().map(Node::id).collect(Collectors.toSet()),
                minimum,
                Optional.ofNullable(reassignments.get(partition)));
    }

    private Map<TopicPartition, Reassignment> reassignments() throws DemotionException, InterruptedException {
        Map<TopicPartition, PartitionReassignment> running = answer(
                "list the reassignments that run",
                admin.listPartitionReassignments().reassignments());
        Map<TopicPartition, Reassignment> all = new HashMap<>();
        running.forEach((partition, each) ->
                all.put(partition, new Reassignment(each.addingReplicas(), each.removingReplicas())));
        return all;
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private static <T> Optional<T> existing(String what, KafkaFuture<T> future)
            throws DemotionException, InterruptedException {
        try {
            return Optional.of(answer(what, future));
        } catch (DemotionException refused) {
            if (refused.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** Waits for an answer for a bounded time. */
    static <T> T answer(String what, KafkaFuture<T> future) throws DemotionException, InterruptedException {
        try {
            return future.get(BOUND_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException refused) {
            throw new DemotionException(
                    "cannot " + what + ": " + refused.getCause().getMessage(), refused.getCause());
        } catch (TimeoutException late) {
            throw new DemotionException("cannot " + what + ": no answer within " + BOUND_SECONDS + " s", late);
        }
    }
}
