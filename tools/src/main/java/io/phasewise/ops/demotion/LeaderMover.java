/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ElectionNotNeededException;

/**
 * Reorders replicas and has the first of each partition elected, but only where the cluster is
 * still as it was when that was decided. What to move is left to the plans.
 *
 * <p>Kafka has no request that says "only if the replicas are still these". So the partitions are
 * looked at again before each request, a few at a time. What can still come between that look and
 * the request, some milliseconds later:
 *
 * <ul>
 *   <li>A reassignment begins. The request puts an end to it: the partition keeps the replicas that
 *       it had, in the new order. Who began it has to begin it again.
 *   <li>The first replica falls out of sync. The controller then refuses the election.
 *   <li>The broker that was asked did not know yet that a reassignment had ended. The request would
 *       then begin to copy data back: that is looked for after the request, and cancelled.
 *   <li>The topic is deleted and made again. The request is then about the new topic, where it
 *       changes the order of replicas, if they happen to be on the same brokers.
 * </ul>
 */
final class LeaderMover {

    /** So many partitions are looked at and then moved at once. */
    private static final int BATCH = 100;

    private static final long SETTLES_NANOS = 20_000_000_000L;
    private static final long LOOK_MILLIS = 100;

    private final Admin admin;
    private final View view;

    /** What is asked again before each request. */
    interface View {
        List<PartitionState> partitions(Set<String> topics) throws DemotionException, InterruptedException;
    }

    /**
     * What became of moves.
     *
     * @param reordered partitions whose order was changed, or was to be
     * @param done those that are led as they should be
     * @param failed those that are not, and why
     */
    record Outcome(Set<TopicPartition> reordered, List<Move> done, Map<TopicPartition, String> failed) {}

    LeaderMover(Admin admin, View view) {
        this.admin = admin;
        this.view = view;
    }

    /**
     * Carries moves out.
     *
     * @param planned what was decided
     * @param planner what would be decided by the state of now
     */
    Outcome carryOut(List<Move> planned, Function<List<PartitionState>, List<Move>> planner)
            throws DemotionException, InterruptedException {
        Outcome all = new Outcome(new HashSet<>(), new ArrayList<>(), new LinkedHashMap<>());
        for (int from = 0; from < planned.size(); from += BATCH) {
            List<Move> batch = planned.subList(from, Math.min(planned.size(), from + BATCH));
            elect(reorder(batch, planner, all), all);
        }
        return all;
    }

    /**
     * Changes orders of replicas. Returns the moves that neither became invalid nor were refused.
     */
    private List<Move> reorder(List<Move> batch, Function<List<PartitionState>, List<Move>> planner, Outcome outcome)
            throws DemotionException, InterruptedException {
        Map<TopicPartition, PartitionState> seen = look(batch);
        Set<Move> valid = new HashSet<>(planner.apply(List.copyOf(seen.values())));
        List<Move> sound = new ArrayList<>();
        for (Move move : batch) {
            if (valid.contains(move)) {
                sound.add(move);
            } else {
                outcome.failed.put(move.partition(), changed(seen.get(move.partition())));
            }
        }
        Map<TopicPartition, Optional<NewPartitionReassignment>> orders = new HashMap<>();
        sound.stream()
                .filter(move -> !move.before().equals(move.after()))
                .forEach(move -> orders.put(move.partition(), Optional.of(new NewPartitionReassignment(move.after()))));
        outcome.reordered.addAll(orders.keySet());
        if (!orders.isEmpty()) {
            Map<TopicPartition, KafkaFuture<Void>> answers =
                    admin.alterPartitionReassignments(orders).values();
            for (Map.Entry<TopicPartition, KafkaFuture<Void>> each : answers.entrySet()) {
                try {
                    ClusterView.answer("reorder the replicas of " + each.getKey(), each.getValue());
                } catch (DemotionException refused) {
                    outcome.failed.put(each.getKey(), refused.getMessage());
                }
            }
        }
        sound.removeIf(move -> outcome.failed.containsKey(move.partition()));
        return sound;
    }

    private void elect(List<Move> reordered, Outcome outcome) throws DemotionException, InterruptedException {
        Map<TopicPartition, PartitionState> seen = awaitOrder(reordered);
        cancelWhatCopies(reordered, seen, outcome);
        Set<TopicPartition> elected = new HashSet<>();
        for (Move move : reordered) {
            PartitionState state = seen.get(move.partition());
            if (outcome.failed.containsKey(move.partition())) {
                continue;
            }
            if (!hasOrder(move, state) || !state.isInSync(move.after().get(0))) {
                outcome.failed.put(move.partition(), changed(state));
            } else if (state.leader() != move.after().get(0)) {
                elected.add(move.partition());
            }
        }
        if (!elected.isEmpty()) {
            ClusterView.answer(
                            "elect the preferred leaders",
                            admin.electLeaders(ElectionType.PREFERRED, elected).partitions())
                    .forEach((partition, failure) -> failure.filter(
                                    cause -> !(cause instanceof ElectionNotNeededException))
                            .ifPresent(cause -> outcome.failed.put(
                                    partition, "cannot elect its preferred leader: " + cause.getMessage())));
        }
        reordered.stream()
                .filter(move -> !outcome.failed.containsKey(move.partition()))
                .forEach(outcome.done::add);
    }

    /**
     * Waits, at most 20 s, until the brokers report the new order. Each broker learns of it in its
     * own time.
     */
    private Map<TopicPartition, PartitionState> awaitOrder(List<Move> moves)
            throws DemotionException, InterruptedException {
        long start = System.nanoTime();
        Map<TopicPartition, PartitionState> seen = look(moves);
        while (!moves.stream().allMatch(move -> hasOrder(move, seen.get(move.partition())))
                && System.nanoTime() - start < SETTLES_NANOS) {
            if (moves.stream().anyMatch(move -> copies(move, seen.get(move.partition())))) {
                break;
            }
            Thread.sleep(LOOK_MILLIS);
            seen.clear();
            seen.putAll(look(moves));
        }
        return seen;
    }

    /** A request that only reorders copies nothing. */
    private void cancelWhatCopies(List<Move> moves, Map<TopicPartition, PartitionState> seen, Outcome outcome)
            throws DemotionException, InterruptedException {
        Map<TopicPartition, Optional<NewPartitionReassignment>> cancelled = new HashMap<>();
        for (Move move : moves) {
            PartitionState state = seen.get(move.partition());
            if (copies(move, state)) {
                cancelled.put(move.partition(), Optional.empty());
                outcome.failed.put(
                        move.partition(),
                        "its replicas were others than the broker said that was asked; the copying of data that"
                                + " began was cancelled");
            }
        }
        if (!cancelled.isEmpty()) {
            ClusterView.answer(
                    "cancel the copying of data of " + cancelled.keySet(),
                    admin.alterPartitionReassignments(cancelled).all());
        }
    }

    /** Whether this move, and no reassignment of somebody else, has the partition get replicas. */
    private static boolean copies(Move move, PartitionState state) {
        if (state == null
                || state.reassignment().isEmpty()
                || state.reassignment().get().adding().isEmpty()) {
            return false;
        }
        Set<Integer> target = new HashSet<>(state.replicas());
        target.addAll(state.reassignment().get().adding());
        target.removeAll(state.reassignment().get().removing());
        return target.equals(new HashSet<>(move.after()));
    }

    private static boolean hasOrder(Move move, PartitionState state) {
        return state != null
                && state.reassignment().isEmpty()
                && state.replicas().equals(move.after());
    }

    private static String changed(PartitionState now) {
        return now == null
                ? "deleted meanwhile"
                : now.reassignment()
                        .map(Object::toString)
                        .orElse("has changed meanwhile: leader %d, replicas %s, in sync %s"
                                .formatted(now.leader(), now.replicas(), now.inSync()));
    }

    private Map<TopicPartition, PartitionState> look(List<Move> moves) throws DemotionException, InterruptedException {
        if (moves.isEmpty()) {
            return new HashMap<>();
        }
        Set<String> topics =
                moves.stream().map(move -> move.partition().topic()).collect(Collectors.toSet());
        return view.partitions(topics).stream()
                .collect(Collectors.toMap(PartitionState::partition, state -> state, (a, b) -> b, HashMap::new));
    }
}
