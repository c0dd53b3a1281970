/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import io.phasewise.common.cli.UsageException;
import io.phasewise.ops.demotion.ReassignmentBackup.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * Moves leadership off a broker, and back, and keeps the way back in a file until all is back. What
 * to move is left to {@link DemotionPlan} and {@link RevertPlan}, how to {@link LeaderMover}.
 */
public final class Demotion {

    private final Admin admin;
    private final int broker;
    private final Path file;
    private final ClusterView view;
    private final LeaderMover mover;

    /**
     * What a revert has done.
     *
     * @param back moves that were made
     * @param gone partitions that no longer exist, a line for each
     * @param left partitions that are not back, a line for each that says why and what to do; the
     *     file keeps the way back for them
     */
    public record Reverted(List<Move> back, List<String> gone, List<String> left) {}

    /**
     * @param admin stays open
     * @param broker the node id
     * @param file holds the orders before, from {@link #execute} until {@link #revert} has given
     *     back all of them
     */
    public Demotion(Admin admin, int broker, Path file) {
        this(admin, broker, file, new ClusterView(admin)::partitions);
    }

    /**
     * @param again what is looked at before each request
     */
    Demotion(Admin admin, int broker, Path file, LeaderMover.View again) {
        this.admin = admin;
        this.broker = broker;
        this.file = file;
        this.view = new ClusterView(admin);
        this.mover = new LeaderMover(admin, again);
    }

    /**
     * What {@link #execute} would do now.
     *
     * @param kept topics to leave alone
     * @throws DemotionException when the cluster does not answer
     * @throws UsageException when the cluster has no such broker
     */
    public DemotionPlan plan(Predicate<String> kept) throws DemotionException, InterruptedException {
        return DemotionPlan.of(broker, look(), kept);
    }

    private List<PartitionState> look() throws DemotionException, InterruptedException {
        List<PartitionState> states = view.partitions();
        DemotionPlan.checkBroker(broker, view.brokers(), states);
        return states;
    }

    /**
     * Moves leadership off the broker, unless there is an obstacle; the plan then holds it and
     * nothing was done.
     *
     * @param kept topics to leave alone
     * @return the moves that were made, and the partitions that were left alone or did not move
     * @throws IOException when the way back cannot be written, or is there already: nothing was
     *     done
     * @throws DemotionException when the cluster refuses; what it has done by then can be reverted
     * @throws UsageException when the cluster has no such broker: nothing was done
     */
    public DemotionPlan execute(Predicate<String> kept) throws DemotionException, InterruptedException, IOException {
        List<PartitionState> states = look();
        DemotionPlan plan = DemotionPlan.of(broker, states, kept);
        if (!plan.canBeDone()) {
            return plan;
        }
        ReassignmentBackup backup = ReassignmentBackup.of(view.clusterId(), broker, orders(plan.moves(), states));
        backup.create(file);
        LeaderMover.Outcome outcome =
                carryOut(plan.moves(), now -> DemotionPlan.of(broker, now, kept).moves());
        keep(backup, outcome.reordered());
        List<String> left = new ArrayList<>(plan.left());
        outcome.failed().forEach((partition, why) -> left.add(partition + ": " + why));
        return new DemotionPlan(outcome.done(), List.of(), left, plan.kept());
    }

    private static List<Order> orders(List<Move> moves, List<PartitionState> states) {
        Map<TopicPartition, String> ids = new HashMap<>();
        states.forEach(state -> ids.put(state.partition(), state.topicId()));
        return moves.stream()
                .map(move -> new Order(
                        move.partition().topic(),
                        move.partition().partition(),
                        move.before(),
                        ids.get(move.partition()),
                        move.after()))
                .toList();
    }

    private LeaderMover.Outcome carryOut(List<Move> moves, Function<List<PartitionState>, List<Move>> planner)
            throws DemotionException, InterruptedException {
        try {
            return mover.carryOut(moves, planner);
        } catch (DemotionException refused) {
            throw new DemotionException(
                    "%s. Some partitions may have moved by then; %s keeps the way back of all: --revert"
                            .formatted(refused.getMessage(), file),
                    refused.getCause());
        }
    }

    /**
     * Gives every partition of the file the order it had, and has its preferred leader elected. The
     * file is deleted when all are back; otherwise it keeps those that are not.
     *
     * @throws IOException when the file cannot be read, written or deleted
     * @throws DemotionException when the cluster does not answer; the file stays
     * @throws UsageException when the file is of another cluster or broker: nothing was done
     */
    public Reverted revert() throws DemotionException, InterruptedException, IOException {
        ReassignmentBackup backup = ReassignmentBackup.read(file);
        checkOwner(backup);
        List<Order> orders = backup.partitions();
        Set<String> topics = orders.stream().map(Order::topic).collect(Collectors.toSet());
        RevertPlan plan = RevertPlan.of(orders, view.partitions(topics));
        LeaderMover.Outcome outcome =
                carryOut(plan.moves(), states -> RevertPlan.of(orders, states).moves());
        Map<TopicPartition, String> left = new LinkedHashMap<>(plan.left());
        outcome.failed().forEach((partition, why) -> left.put(partition, why + ". Run --revert again"));
        keep(backup, left.keySet());
        List<String> lines = left.entrySet().stream()
                .map(each -> each.getKey() + ": " + each.getValue())
                .toList();
        return new Reverted(outcome.done(), plan.gone(), lines);
    }

    private void checkOwner(ReassignmentBackup backup) throws DemotionException, InterruptedException {
        if (backup.broker() != null && backup.broker() != broker) {
            throw new UsageException("BROKER: %d; %s is of the demotion of broker %d; allowed: %d"
                    .formatted(broker, file, backup.broker(), backup.broker()));
        }
        String cluster = view.clusterId();
        if (backup.cluster() != null && !backup.cluster().equals(cluster)) {
            throw new UsageException(
                    "--file: %s is of the cluster %s, and this one is %s: name this cluster's file, or the other cluster"
                            .formatted(file, backup.cluster(), cluster));
        }
    }

    /** The file then holds these partitions only; there is none when there are no such ones. */
    private void keep(ReassignmentBackup backup, Set<TopicPartition> partitions) throws IOException {
        List<Order> remaining = backup.partitions().stream()
                .filter(order -> partitions.contains(order.topicPartition()))
                .toList();
        if (remaining.isEmpty()) {
            Files.delete(file);
        } else if (remaining.size() < backup.partitions().size()) {
            backup.with(remaining).replace(file);
        }
    }
}
