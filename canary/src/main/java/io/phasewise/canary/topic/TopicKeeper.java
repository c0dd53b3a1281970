/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.topic;

import static java.util.stream.Collectors.joining;

import io.phasewise.canary.supervise.Problem;
import io.phasewise.canary.topic.TopicObserver.Observation;
import io.phasewise.canary.topic.TopicOwnership.Facts;
import io.phasewise.canary.topic.TopicOwnership.Records;
import io.phasewise.canary.topic.TopicOwnership.Verdict;
import io.phasewise.canary.topic.TopicState.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.KafkaException;

/**
 * Goes round from looking to judging whose topic it is, to planning, to doing; each of the four is
 * left to its own class. Used by one thread, except {@link #sawOtherRecord}.
 *
 * <p>A topic that is not the canary's is left alone; what would have been done to it is reported.
 *
 * <p>What is undone again and again is left alone: where a balancer moves the canary's replicas
 * back, each of the two would undo the other's work for ever. A partition whose replicas are being
 * moved is not given others meanwhile, whoever asked for the move. {@link MadeChanges} remembers.
 *
 * <p>A change that was refused is not asked for again for a minute: an authorizer that denies it
 * need not write that into its log every few seconds.
 */
public final class TopicKeeper {
    private static final long REFUSAL_NANOS = Duration.ofMinutes(1).toNanos();

    /** When its records do not show whose a topic is, they are looked at again after this time. */
    private static final long RECORDS_NANOS = Duration.ofMinutes(10).toNanos();

    /**
     * Of the changes that the canary would make to a topic that is not its own, at most so many are
     * named.
     */
    private static final int NAMED = 8;

    private final String topic;
    private final TopicObserver observer;
    private final TopicOwnership ownership;
    private final RecordLook recordLook;
    private final TopicPlanner planner;
    private final TopicApplier applier;
    private final LongSupplier nanoClock;
    private final Map<Change, Refusal> refused = new HashMap<>();

    private final MadeChanges made;

    /** Id of the topic that was seen to be the canary's, or that this created; empty before. */
    private String knownId = "";

    /** Whether the last look found no topic where there had been the canary's. */
    private boolean missing;

    /** Id of the topic that this process has created; empty before, and where Kafka does not say. */
    private String createdId = "";

    private final RecreationWatch recreation = new RecreationWatch();

    /** What the records of a topic were when they were looked at. */
    private SeenRecords seenRecords = new SeenRecords("", Records.NOT_LOOKED_AT, 0);

    /** Id of a topic in which a record was read that is no probe. */
    private volatile String otherRecordIn = "";

    private record Refusal(Problem problem, long atNanos) {}

    private record SeenRecords(String topicId, Records records, long atNanos) {}

    /**
     * What came of a round.
     *
     * @param clusterId Kafka's id of the cluster
     * @param state the topic after the changes
     * @param verdict whose topic it is
     * @param problems what stands in the way, may be empty
     * @param changed whether another look is due soon, because something was changed or is in
     *     question
     */
    public record Round(String clusterId, TopicState state, Verdict verdict, List<Problem> problems, boolean changed) {}

    /**
     * Ends all sending and reading; called before the topic is created, so that no broker can
     * create it for a client of the canary: it would be without the mark.
     */
    @FunctionalInterface
    public interface TrafficStop {
        /** Returns when nothing is sent and read any more. */
        void stop() throws InterruptedException;
    }

    /**
     * @param topic the topic's name
     * @param observer looks
     * @param ownership judges whose topic it is
     * @param recordLook looks at records where that decides
     * @param planner decides
     * @param applier does
     * @param nanoClock monotonic nanoseconds
     */
    public TopicKeeper(
            String topic,
            TopicObserver observer,
            TopicOwnership ownership,
            RecordLook recordLook,
            TopicPlanner planner,
            TopicApplier applier,
            LongSupplier nanoClock) {
        this.topic = topic;
        this.observer = observer;
        this.ownership = ownership;
        this.recordLook = recordLook;
        this.planner = planner;
        this.applier = applier;
        this.nanoClock = nanoClock;
        this.made = new MadeChanges(nanoClock);
    }

    /**
     * Says that a record was read that is no probe: a topic that was adopted is not for the canary
     * alone then. Thread-safe.
     *
     * @param topicId of the topic that it was read in
     */
    public void sawOtherRecord(String topicId) {
        otherRecordIn = topicId;
    }

    /**
     * Goes round once.
     *
     * @param brokers the cluster's
     * @param mayChange whether the topic may be changed; otherwise it is only looked at
     * @param trafficStop ends sending and reading
     * @throws KafkaException when the cluster cannot be reached or refuses to tell
     */
    public Round round(ClusterObserver.Brokers brokers, boolean mayChange, TrafficStop trafficStop)
            throws InterruptedException {
        Observation observation = observer.look(brokers);
        TopicState state = observation.state();
        SeenRecords before = seenRecords;
        Verdict verdict = judge(observation);
        if (verdict == Verdict.IN_QUESTION) {
            return new Round(observation.clusterId(), state, verdict, observation.problems(), true);
        }
        boolean wasMissing = missing;
        missing = !state.exists() && !knownId.isEmpty();
        if (missing && !wasMissing) {
            // A broker that lags may not know the topic: measuring does not end for that.
            return new Round(observation.clusterId(), state, verdict, observation.problems(), true);
        }
        Plan plan = planner.plan(observation.clusterId(), state);
        List<Problem> problems = new ArrayList<>(observation.problems());
        if (!verdict.reason().isEmpty() && !observation.isTransient()) {
            problems.add(notOurs(verdict, plan));
        }
        if (verdict.mayChange() && !seenRecords.equals(before) && seenRecords.records() != Records.NOT_LOOKED_AT) {
            // The look at records took a while: the next round sees whether it is still this topic,
            // and then changes it.
            return new Round(observation.clusterId(), state, verdict, problems, true);
        }
        if (!mayChange || !verdict.mayChange()) {
            boolean soon = state.exists() && !state.configKnown() && observation.isTransient();
            return new Round(observation.clusterId(), state, verdict, problems, soon);
        }
        problems.addAll(plan.problems());
        List<Change> changes = new ArrayList<>(plan.changes());
        if (planner.mayConfigure()) {
            verdict.mark()
                    .ifPresent(origin -> changes.add(
                            0, new Change.Mark(OwnershipMark.settings(observation.clusterId(), topic, origin))));
        }
        if (!apply(changes, state, problems, trafficStop)) {
            return new Round(observation.clusterId(), state, verdict, problems, false);
        }
        Observation after = observer.look(brokers);
        return new Round(after.clusterId(), after.state(), judge(after), problems, true);
    }

    private Verdict judge(Observation observation) throws InterruptedException {
        TopicState state = observation.state();
        String id = state.topicId();
        boolean isInQuestion = state.exists() && recreation.isInQuestion(id, createdId, nanoClock.getAsLong());
        Verdict verdict = ownership.judge(facts(observation));
        if (isInQuestion && (verdict.maySend() || verdict.asksForRecords())) {
            return Verdict.IN_QUESTION;
        }
        if (verdict.asksForRecords()) {
            seenRecords = new SeenRecords(id, records(state), nanoClock.getAsLong());
            verdict = ownership.judge(facts(observation));
        }
        if (verdict.mayChange() && state.exists()) {
            knownId = id;
            if (verdict.mark().isEmpty()) {
                seenRecords = new SeenRecords("", Records.NOT_LOOKED_AT, 0); // from now on the mark says it
            }
        }
        return verdict;
    }

    private Facts facts(Observation observation) {
        String id = observation.state().topicId();
        Records records = Records.NOT_LOOKED_AT;
        if (!id.isEmpty() && id.equals(otherRecordIn)) {
            records = Records.OTHERS;
        } else if (seenRecords.topicId().equals(id) && nanoClock.getAsLong() - seenRecords.atNanos() < RECORDS_NANOS) {
            records = seenRecords.records();
        }
        return new Facts(observation.clusterId(), observation.state(), knownId, records);
    }

    private Records records(TopicState state) throws InterruptedException {
        try {
            return recordLook.look(state.partitions().size());
        } catch (RuntimeException e) { // of Kafka, or of a plug-in of the consumer's
            return Records.TOO_MANY; // nobody can say
        }
    }

    private Problem notOurs(Verdict verdict, Plan plan) {
        String would = plan.changes().stream()
                .limit(NAMED)
                .map(Change::words)
                .collect(joining("; ", "", plan.changes().size() > NAMED ? "; ..." : ""));
        return Problem.of(
                verdict.maySend() ? "topic.adopt" : "topic.name",
                "topic %s %s: %s. Nothing of it is changed%s%s. %s",
                topic,
                verdict.maySend() ? "is not known to be the canary's" : "is not the canary's",
                verdict.reason(),
                verdict.maySend() ? ", probes go on" : ", and no probe is sent into it",
                would.isEmpty() ? "" : " (the canary would " + would + ")",
                verdict.wayOut());
    }

    /** Returns whether anything was changed. */
    private boolean apply(List<Change> changes, TopicState state, List<Problem> problems, TrafficStop trafficStop)
            throws InterruptedException {
        refused.keySet().retainAll(changes);
        refused.values().removeIf(r -> nanoClock.getAsLong() - r.atNanos() > REFUSAL_NANOS);
        Set<Integer> moving = moving(changes, state);
        boolean changed = false;
        for (Change change : changes) {
            if (change instanceof Change.Reassign reassign && moving.contains(reassign.partition())) {
                made.seenUnderWay(change);
                continue;
            }
            if (made.isSettling(change)) {
                continue;
            }
            if (made.isUndone(change)) {
                problems.add(undone(change));
                continue;
            }
            Refusal earlier = refused.get(change);
            if (earlier != null) {
                problems.add(earlier.problem());
                continue;
            }
            if (change instanceof Change.Create) {
                trafficStop.stop();
            }
            TopicApplier.Result result = applier.apply(change);
            Optional<Problem> met = result.problem();
            met.ifPresent(problem -> {
                problems.add(problem);
                refused.put(change, new Refusal(problem, nanoClock.getAsLong()));
            });
            if (met.isEmpty()) {
                made.made(change);
                changed = true;
            }
            if (!result.createdId().isEmpty()) {
                knownId = result.createdId();
                createdId = result.createdId();
            }
        }
        return changed;
    }

    /** Partitions that are being moved now, asked for only where some are to be moved. */
    private Set<Integer> moving(List<Change> changes, TopicState state) throws InterruptedException {
        if (changes.stream().noneMatch(Change.Reassign.class::isInstance)) {
            return Set.of();
        }
        try {
            return observer.reassigning(
                    state.partitions().stream().map(Partition::number).toList());
        } catch (KafkaException e) {
            return new HashSet<>(); // who may not ask may not move either: the refused move will be the problem
        }
    }

    private static Problem undone(Change change) {
        return Problem.of(
                "topic.manage." + change.kind(),
                "\"%s\" was done %d times within an hour and undone each time: something else moves"
                        + " this topic (a balancer?); exclude the topic there, or switch this"
                        + " off here; next attempt in an hour",
                change.words(),
                MadeChanges.REPETITIONS);
    }
}
