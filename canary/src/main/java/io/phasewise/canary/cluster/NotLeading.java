/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.cluster;

import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.TopicState;
import io.phasewise.canary.topic.TopicState.Broker;
import io.phasewise.canary.topic.TopicState.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Notices a broker that is up and yet cannot lead the partition that measures it, because its
 * replica is not in sync, and finds out whether a log directory has failed there. A broker that
 * could lead gets its partition from the topic's planner, which also says what prevents that. Used
 * by one thread.
 *
 * <p>A broker is asked for its log directories only then, at most one broker each look, and each at
 * most once a minute: the answer lists all partitions of that broker.
 */
final class NotLeading {
    /** A broker that has just started has to catch up first; most have done so within this time. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    static final Duration ASK_AGAIN = Duration.ofMinutes(1);

    /** Asks a broker for its log directories. */
    @FunctionalInterface
    interface LogDirectories {
        /**
         * What a broker says of them, for the reader; empty when all are well, or it does not answer.
         *
         * @param broker its id
         */
        Optional<String> fault(int broker) throws InterruptedException;
    }

    private final LogDirectories directories;
    private final Map<Integer, Long> since = new HashMap<>();
    private final Map<Integer, Answer> answers = new HashMap<>();

    private record Answer(Optional<String> fault, long at) {}

    /**
     * @param directories asked about brokers that were found
     */
    NotLeading(LogDirectories directories) {
        this.directories = directories;
    }

    /**
     * Takes in what a look at the cluster has shown.
     *
     * @param now monotonic nanoseconds
     * @return a problem for each broker that was found
     */
    List<Problem> update(TopicState state, long now) throws InterruptedException {
        Map<Integer, Partition> found = new HashMap<>();
        for (Broker broker : state.brokers()) {
            state.partitionOf(broker.id())
                    .filter(partition -> broker.live()
                            && partition.leader() != broker.id()
                            && !partition.inSync().contains(broker.id()))
                    .ifPresent(partition -> found.put(broker.id(), partition));
        }
        since.keySet().retainAll(found.keySet());
        answers.keySet().retainAll(found.keySet());
        Set<Integer> lasting = new TreeSet<>();
        for (int broker : found.keySet()) {
            if (now - since.computeIfAbsent(broker, id -> now) >= PATIENCE.toNanos()) {
                lasting.add(broker);
            }
        }
        askOne(lasting, now);
        List<Problem> problems = new ArrayList<>();
        for (int broker : lasting) {
            Optional<String> fault =
                    answers.containsKey(broker) ? answers.get(broker).fault() : Optional.empty();
            problems.add(Problem.of(
                    "broker " + broker,
                    "no probe measures broker %s, although it is up: its replica of partition %s is not in sync, so"
                            + " that it cannot lead; %s",
                    broker,
                    found.get(broker).number(),
                    fault.orElse("see its log, and whether it catches up")));
        }
        return problems;
    }

    private void askOne(Set<Integer> lasting, long now) throws InterruptedException {
        for (int broker : lasting) {
            Answer last = answers.get(broker);
            if (last == null || now - last.at() >= ASK_AGAIN.toNanos()) {
                answers.put(broker, new Answer(directories.fault(broker), now));
                return;
            }
        }
    }
}
