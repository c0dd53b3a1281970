/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.TopicObserver.Observation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Goes round from looking to planning to doing; each of the three is left to its own class. Used by
 * one thread.
 *
 * <p>What is undone again and again is left alone: where a balancer moves the canary's replicas
 * back, each of the two would undo the other's work for ever.
 *
 * <p>A change that was refused is not asked for again for a minute: an authorizer that denies it
 * need not write that into its log every few seconds.
 */
public final class TopicKeeper {
    private static final long REFUSAL_NANOS = Duration.ofMinutes(1).toNanos();

    /** The same change within an hour, more often than this, is somebody else's doing. */
    private static final int REPETITIONS = 2;

    private static final long GIVES_WAY_NANOS = Duration.ofHours(1).toNanos();

    private static final Deque<Long> NEVER = new ArrayDeque<>();

    private final TopicObserver observer;
    private final TopicPlanner planner;
    private final TopicApplier applier;
    private final LongSupplier nanoClock;
    private final Map<Change, Refusal> refused = new HashMap<>();

    /** When each change was made, of the last hour. */
    private final Map<Change, Deque<Long>> made = new HashMap<>();

    private record Refusal(Problem problem, long atNanos) {}

    /**
     * What came of a round.
     *
     * @param clusterId Kafka's id of the cluster
     * @param state the topic after the changes
     * @param problems what stands in the way, may be empty
     * @param changed whether anything was changed, so that another look is due soon
     */
    public record Round(String clusterId, TopicState state, List<Problem> problems, boolean changed) {}

    /**
     * @param observer looks
     * @param planner decides
     * @param applier does
     * @param nanoClock monotonic nanoseconds
     */
    public TopicKeeper(TopicObserver observer, TopicPlanner planner, TopicApplier applier, LongSupplier nanoClock) {
        this.observer = observer;
        this.planner = planner;
        this.applier = applier;
        this.nanoClock = nanoClock;
    }

    /**
     * Goes round once.
     *
     * @param brokers the cluster's
     * @param mayChange whether the topic is not only looked at
     * @throws org.apache.kafka.common.KafkaException when the cluster cannot be reached or refuses
     *     to tell
     */
    public Round round(ClusterObserver.Brokers brokers, boolean mayChange) throws InterruptedException {
        Observation observation = observer.look(brokers, true);
        Plan plan = mayChange ? planner.plan(observation.state()) : Plan.NONE;
        List<Problem> problems = new ArrayList<>(observation.problems());
        problems.addAll(plan.problems());

        refused.keySet().retainAll(plan.changes());
        refused.values().removeIf(r -> nanoClock.getAsLong() - r.atNanos() > REFUSAL_NANOS);
        boolean changed = false;
        for (Change change : plan.changes()) {
            if (isUndone(change)) {
                problems.add(undone(change));
                continue;
            }
            Refusal earlier = refused.get(change);
            if (earlier != null) {
                problems.add(earlier.problem());
                continue;
            }
            Optional<Problem> met = applier.apply(change);
            met.ifPresent(problem -> {
                problems.add(problem);
                refused.put(change, new Refusal(problem, nanoClock.getAsLong()));
            });
            if (met.isEmpty()) {
                made.computeIfAbsent(change, each -> new ArrayDeque<>()).add(nanoClock.getAsLong());
                changed = true;
            }
        }
        if (changed) {
            observation = observer.look(brokers, true);
        }
        return new Round(observation.clusterId(), observation.state(), problems, changed);
    }

    /**
     * Without a topic nothing is measured, so one that is deleted is made again; an election moves
     * no data, and each restart of a broker asks for one.
     */
    private boolean isUndone(Change change) {
        if (!(change instanceof Change.Reassign) && !(change instanceof Change.Configure)) {
            return false;
        }
        long now = nanoClock.getAsLong();
        made.values().forEach(instants -> instants.removeIf(at -> now - at > GIVES_WAY_NANOS));
        made.values().removeIf(Deque::isEmpty);
        return made.getOrDefault(change, NEVER).size() >= REPETITIONS;
    }

    private static Problem undone(Change change) {
        return Problem.of(
                "topic.manage." + change.kind(),
                "%s was done %d times within an hour and undone each time: something else moves"
                        + " this topic (a balancer?); exclude the topic there, or switch this"
                        + " off here; next attempt in an hour",
                change,
                REPETITIONS);
    }
}
