/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import io.phasewise.common.cli.UsageException;
import io.phasewise.ops.demotion.DemotionPlan.Move;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ElectionNotNeededException;

/**
 * Moves leadership off a broker, and back, by the administrator's client. What to move is left to
 * {@link DemotionPlan}.
 */
public final class Demotion {

    private static final long BOUND_SECONDS = 60;

    /** The cluster did not do what it was asked to; the message says what and why. */
    public static final class DemotionException extends Exception {

        private static final long serialVersionUID = 1L;

        DemotionException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private final Admin admin;
    private final int broker;
    private final Path backup;

    /**
     * @param admin stays open
     * @param broker the node id
     * @param backup the file that holds the orders before, from {@link #execute} to {@link #revert}
     */
    public Demotion(Admin admin, int broker, Path backup) {
        this.admin = admin;
        this.broker = broker;
        this.backup = backup;
    }

    /**
     * What {@link #execute} would do now.
     *
     * @param kept topics to leave alone
     * @throws DemotionException when the cluster does not answer
     * @throws UsageException when the cluster has no such broker
     */
    public DemotionPlan plan(Predicate<String> kept) throws DemotionException, InterruptedException {
        List<PartitionState> states = states(kept);
        List<Integer> alive = get("list the brokers", admin.describeCluster().nodes()).stream()
                .map(Node::id)
                .toList();
        DemotionPlan.checkBroker(broker, alive, states);
        return DemotionPlan.of(broker, states);
    }

    /**
     * Moves leadership off the broker, unless there is an obstacle; the plan then holds it and
     * nothing was done.
     *
     * @param kept topics to leave alone
     * @throws IOException when the way back cannot be written, or is there already: nothing was
     *     done
     * @throws DemotionException when the cluster refuses; what it has done by then can be reverted
     * @throws UsageException when the cluster has no such broker: nothing was done
     */
    public DemotionPlan execute(Predicate<String> kept) throws DemotionException, InterruptedException, IOException {
        DemotionPlan plan = plan(kept);
        if (plan.obstacles().isEmpty() && !plan.moves().isEmpty()) {
            ReassignmentBackup.write(backup, plan.moves());
            carryOut(plan.moves());
        }
        return plan;
    }

    /**
     * Gives every partition of the way back the order it had, has its preferred leader elected, and
     * deletes the file. A partition whose replicas are others by now is left alone and reported as
     * an obstacle.
     *
     * @throws IOException when the file cannot be read or deleted
     * @throws DemotionException when the cluster refuses, for instance because the broker is not in
     *     sync yet; the file stays
     */
    public DemotionPlan revert() throws DemotionException, InterruptedException, IOException {
        Map<TopicPartition, List<Integer>> present = new HashMap<>();
        states(topic -> false).forEach(state -> present.put(state.partition(), state.replicas()));
        List<Move> moves = new ArrayList<>();
        List<String> obstacles = new ArrayList<>();
        for (ReassignmentBackup.Order order : ReassignmentBackup.read(backup)) {
            TopicPartition partition = new TopicPartition(order.topic(), order.partition());
            List<Integer> now = present.get(partition);
            if (now != null && Set.copyOf(now).equals(Set.copyOf(order.replicas()))) {
                moves.add(new Move(partition, now, order.replicas()));
            } else {
                obstacles.add("%s: left alone, its replicas are %s, were %s"
                        .formatted(partition, now == null ? "gone" : now, order.replicas()));
            }
        }
        carryOut(moves);
        Files.delete(backup);
        return new DemotionPlan(moves, obstacles);
    }

    private List<PartitionState> states(Predicate<String> kept) throws DemotionException, InterruptedException {
        ListTopicsOptions all = new ListTopicsOptions().listInternal(true);
        Set<String> topics =
                new TreeSet<>(get("list the topics", admin.listTopics(all).names()));
        topics.removeIf(kept);
        Map<String, TopicDescription> described =
                get("describe the topics", admin.describeTopics(topics).allTopicNames());
        Map<ConfigResource, Config> configs = get(
                "read min.insync.replicas",
                admin.describeConfigs(topics.stream().map(Demotion::resource).toList())
                        .all());
        List<PartitionState> states = new ArrayList<>();
        for (TopicDescription topic : new TreeMap<>(described).values()) {
            String minimum = configs.get(resource(topic.name()))
                    .get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG)
                    .value();
            for (TopicPartitionInfo partition : topic.partitions()) {
                states.add(new PartitionState(
                        new TopicPartition(topic.name(), partition.partition()),
                        Optional.ofNullable(partition.leader()).map(Node::id).orElse(-1),
                        partition.replicas().stream().map(Node::id).toList(),
                        partition.isr().stream().map(Node::id).collect(Collectors.toSet()),
                        Integer.parseInt(minimum)));
            }
        }
        return states;
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    /** Reorders replicas, and has the first one of each partition elected. */
    private void carryOut(List<Move> moves) throws DemotionException, InterruptedException {
        Map<TopicPartition, Optional<NewPartitionReassignment>> orders = new HashMap<>();
        for (Move move : moves) {
            orders.put(move.partition(), Optional.of(new NewPartitionReassignment(move.after())));
        }
        get("reorder the replicas", admin.alterPartitionReassignments(orders).all());
        if (moves.isEmpty()) {
            return;
        }
        Map<TopicPartition, Optional<Throwable>> outcomes = get(
                "elect the preferred leaders",
                admin.electLeaders(ElectionType.PREFERRED, orders.keySet()).partitions());
        Map<String, String> refused = new TreeMap<>();
        outcomes.forEach((partition, failure) -> failure.filter(cause -> !(cause instanceof ElectionNotNeededException))
                .map(cause -> String.valueOf(cause.getMessage()))
                .ifPresent(why -> refused.put(partition.toString(), why)));
        if (!refused.isEmpty()) {
            throw new DemotionException("cannot elect the preferred leaders of " + refused, null);
        }
    }

    private static <T> T get(String what, KafkaFuture<T> future) throws DemotionException, InterruptedException {
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
