/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import io.phasewise.canary.marks.MarkKey;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.marks.MissingMarkReason;
import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.phases.ProbeEstimate;
import io.phasewise.canary.trip.SendResult;
import io.phasewise.canary.trip.Trip;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes the trips of one profile in the order in which they were closed, splits those that came back
 * into phases, and hands each on to the readers: by what their leaders report of them, as soon as
 * they do, and by the estimate where they do not in time.
 *
 * <p>Trips are put in by any thread. All else is done by the thread that calls {@link #turn}.
 */
public final class Splitter {
    /** How long after its delivery a trip waits for its marks. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Trips that may wait for a turn: more than half a minute of the most probes that may be sent. */
    private static final int MOST = 1 << 19;

    /** Counts a probe that has to do with the estimate. */
    @FunctionalInterface
    public interface Listener {
        /** See {@link MissingMarkReason}. */
        void unmarked(int leader, MissingMarkReason reason);
    }

    private final PhaseEstimator estimator;

    /** Empty where brokers are not asked for marks. */
    private final Optional<MarkStore> marks;

    private final Listener listener;
    private final List<TripReader> readers;
    private final BlockingQueue<Trip> closed = new LinkedBlockingQueue<>(MOST);
    private final AtomicLong leftOut = new AtomicLong();
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private volatile String topicId = "";

    private record Waiting(Trip trip, int leader, MarkKey key, ProbeEstimate estimate) {}

    private record Found(Waiting of, LeaderInstants there) {}

    /**
     * @param estimator sees each trip that came back, whoever reports it
     * @param marks what brokers reported; empty where they are not asked
     * @param listener called with estimates, where brokers are asked
     * @param readers each sees every trip
     */
    public Splitter(
            PhaseEstimator estimator, Optional<MarkStore> marks, Listener listener, List<TripReader> readers) {
        this.estimator = estimator;
        this.marks = marks;
        this.listener = listener;
        this.readers = List.copyOf(readers);
    }

    /** Takes a trip; never waits. */
    public void add(Trip trip) {
        if (!closed.offer(trip)) {
            leftOut.incrementAndGet();
        }
    }

    /** Whether a broker reports marks of probes at present. */
    public boolean reportsMarks(int broker) {
        return marks.isPresent() && marks.get().reportsMarks(broker);
    }

    /** Sets the id of the topic that probes are sent to; empty while it is not known. */
    public void topic(String id) {
        topicId = id;
    }

    /**
     * Splits what can be split now; call it several times a second.
     *
     * @param now monotonic nanoseconds
     * @throws IllegalStateException when trips were left out since the last turn, as too many
     *     waited; all others were split
     */
    public synchronized void turn(long now) {
        for (Trip trip = closed.poll(); trip != null; trip = closed.poll()) {
            take(trip);
        }
        splitMarked();
        splitOlderThan(now - PATIENCE.toNanos());
        long lost = leftOut.getAndSet(0);
        if (lost > 0) {
            throw new IllegalStateException(lost + " probes were not split into phases: more than " + MOST + " waited");
        }
    }

    /** Splits all that is left: the brokers are asked no more. */
    public synchronized void finish(long now) {
        turn(now);
        splitOlderThan(Long.MAX_VALUE);
    }

    private void take(Trip trip) {
        if (trip.back().isEmpty()) {
            readers.forEach(reader -> reader.undelivered(trip));
            return;
        }
        ProbeEstimate estimate = estimator.estimate(trip);
        int leader = trip.sent().map(SendResult::broker).orElse(trip.leader());
        if (reportsMarks(leader)) {
            MarkKey key =
                    new MarkKey(topicId, trip.partition(), trip.delivery().offset());
            waiting.add(new Waiting(trip, leader, key, estimate));
            return;
        }
        if (marks.isPresent()) {
            listener.unmarked(leader, MissingMarkReason.NO_ANSWER);
        }
        handOn(trip, estimate.estimated());
    }

    private void splitMarked() {
        List<Found> found = new ArrayList<>();
        waiting.removeIf(each -> marks.orElseThrow()
                .of(each.leader)
                .leaderInstants(each.key, each.trip.delivery().epoch())
                .map(there -> found.add(new Found(each, there)))
                .isPresent());
        // All clocks learn first: an instant is the more accurate the more is known.
        found.forEach(each -> marks.orElseThrow().of(each.of.leader).learn(each.of.estimate.seen(), each.there));
        for (Found each : found) {
            marks.orElseThrow()
                    .of(each.of.leader)
                    .marked(each.of.estimate, each.there)
                    .ifPresentOrElse(breakdown -> handOn(each.of.trip, breakdown), () -> splitUnmarked(each.of));
        }
    }

    /** Nothing was reported of these in time. */
    private void splitOlderThan(long deliveredBefore) {
        List<Waiting> over = new ArrayList<>();
        waiting.removeIf(each -> deliveredBefore - each.trip.delivery().atNanos() > 0 && over.add(each));
        over.forEach(this::splitUnmarked);
    }

    private void splitUnmarked(Waiting each) {
        listener.unmarked(each.leader, MissingMarkReason.NO_MARK);
        handOn(each.trip, each.estimate.estimated());
    }

    private void handOn(Trip trip, Breakdown breakdown) {
        readers.forEach(reader -> reader.delivered(trip, breakdown));
    }
}
