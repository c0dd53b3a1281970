/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.ops.demotion;

import io.phasewise.common.cli.UsageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which partitions get which order of replicas so that a broker leads none of them: a pure function
 * of their state. The set of replicas stays as it is, so no data moves.
 *
 * @param moves one for each partition that the broker leads or is preferred to lead
 * @param obstacles why it must not be done, a line for each partition concerned; empty if it may
 * @param left partitions that the broker goes on leading, a line for each that says why
 * @param kept topics to leave alone of which the broker leads a partition, or is preferred to
 */
public record DemotionPlan(List<Move> moves, List<String> obstacles, List<String> left, Set<String> kept) {

    /** Whether there is something to do and nothing against it. */
    public boolean canBeDone() {
        return obstacles.isEmpty() && !moves.isEmpty();
    }

    /**
     * Refuses a broker that is neither alive nor named by any partition. One that is down is a
     * broker still: partitions that it is to lead again name it.
     *
     * @param alive node ids of the brokers that the cluster reports
     * @throws UsageException when there is no such broker
     */
    static void checkBroker(int broker, Collection<Integer> alive, List<PartitionState> partitions) {
        Set<Integer> known = new TreeSet<>(alive);
        partitions.forEach(partition -> known.addAll(partition.replicas()));
        if (!known.contains(broker)) {
            String allowed = known.stream().map(String::valueOf).collect(Collectors.joining(", "));
            throw new UsageException("BROKER: there is no broker " + broker + "; allowed: " + allowed);
        }
    }

    /**
     * Puts the broker last, and an in-sync replica first: the new leaders are spread by keeping the
     * order of the others.
     *
     * <p>A demoted broker is about to fall out of sync, or to be stopped. Where the others that are
     * in sync are fewer than min.insync.replicas, producers with acks=all would then be refused:
     * that is an obstacle.
     *
     * <p>A partition under reassignment is left alone. Kafka reports the replicas of before and of
     * after as one list: to reorder it would put an end to the reassignment, and the first of them
     * may be about to be removed.
     *
     * @param keep topics to leave alone
     */
    static DemotionPlan of(int broker, List<PartitionState> partitions, Predicate<String> keep) {
        List<Move> moves = new ArrayList<>();
        List<String> obstacles = new ArrayList<>();
        List<String> left = new ArrayList<>();
        Set<String> kept = new TreeSet<>();
        List<PartitionState> sorted = new ArrayList<>(partitions);
        sorted.sort(
                Comparator.comparing((PartitionState state) -> state.partition().topic())
                        .thenComparing(state -> state.partition().partition()));
        sorted.removeIf(state -> state.leader() != broker && state.replicas().get(0) != broker);
        for (PartitionState state : sorted) {
            if (keep.test(state.partition().topic())) {
                kept.add(state.partition().topic());
                continue;
            }
            if (state.reassignment().isPresent()) {
                left.add(state.partition() + ": " + state.reassignment().get());
                continue;
            }
            List<Integer> others = new ArrayList<>(state.replicas());
            others.remove(Integer.valueOf(broker));
            long inSync = others.stream().filter(state::isInSync).count();
            if (inSync < state.minInSync()) {
                obstacles.add("%s: without broker %d it has %d in-sync replicas, min.insync.replicas is %d"
                        .formatted(state.partition(), broker, inSync, state.minInSync()));
                continue;
            }
            // Stable: those in sync first, else in the order they had.
            others.sort(Comparator.comparing(other -> !state.isInSync(other)));
            others.add(broker);
            moves.add(new Move(state.partition(), state.replicas(), others));
        }
        return new DemotionPlan(moves, obstacles, left, kept);
    }
}
