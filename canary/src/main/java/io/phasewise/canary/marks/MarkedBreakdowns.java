/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.canary.estimate.PhaseEstimator;
import io.phasewise.canary.estimate.ProbeEstimate;
import io.phasewise.canary.phases.LeaderInstants;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Breakdowns;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.SendResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Splits the probes of one profile into phases: by their leaders' marks as soon as these are
 * reported, by the estimate when they are not reported in time. Thread-safe.
 */
public final class MarkedBreakdowns implements Breakdowns {

    /** Counts a probe whose phases are estimates. */
    @FunctionalInterface
    public interface Listener {
        /** See {@link MissingMarkReason}. */
        void unmarked(int leader, MissingMarkReason reason);
    }

    private final PhaseEstimator estimator;
    private final MarkStore marks;
    private final Listener listener;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private volatile String topicId = "";

    private record Waiting(int leader, MarkKey key, int epoch, ProbeEstimate estimate, Consumer<Breakdown> done) {}

    private record Found(Waiting probe, LeaderInstants there) {}

    /**
     * @param estimator sees each probe, reported or not
     * @param marks what brokers reported
     * @param listener called with estimates
     */
    public MarkedBreakdowns(PhaseEstimator estimator, MarkStore marks, Listener listener) {
        this.estimator = estimator;
        this.marks = marks;
        this.listener = listener;
    }

    /** Whether a broker reports marks of probes at present. */
    public boolean reportsMarks(int broker) {
        return marks.reportsMarks(broker);
    }

    /** Sets the id of the topic that probes are sent to; empty while it is not known. */
    public void topic(String id) {
        topicId = id;
    }

    @Override
    public void split(Probe probe, Optional<SendResult> sent, Delivery delivery, Consumer<Breakdown> done) {
        ProbeEstimate estimate = estimator.estimate(probe, sent, delivery);
        int leader = sent.map(SendResult::broker).orElse(probe.leader());
        if (!marks.reportsMarks(leader)) {
            listener.unmarked(leader, MissingMarkReason.NO_ANSWER);
            done.accept(estimate.estimated());
            return;
        }
        synchronized (this) {
            MarkKey key = new MarkKey(topicId, probe.partition(), delivery.offset());
            waiting.add(new Waiting(leader, key, delivery.epoch(), estimate, done));
        }
    }

    /**
     * Splits the probes that have been reported; call it whenever a broker has reported something.
     */
    public void settle() {
        List<Found> found = new ArrayList<>();
        synchronized (this) {
            waiting.removeIf(each -> marks.of(each.leader)
                    .leaderInstants(each.key, each.epoch)
                    .map(there -> found.add(new Found(each, there)))
                    .isPresent());
        }
        // All clocks learn first: an instant is the more accurate the more is known.
        found.forEach(each -> marks.of(each.probe.leader).learn(each.probe.estimate.seen(), each.there));
        for (Found each : found) {
            Waiting probe = each.probe;
            marks.of(probe.leader)
                    .marked(probe.estimate, each.there)
                    .ifPresentOrElse(probe.done, () -> estimate(probe));
        }
    }

    /**
     * Splits by the estimate what has waited for too long; call it several times a second.
     *
     * @param now monotonic nanoseconds
     */
    public void expire(long now) {
        estimateAll(each -> now - each.estimate.seen().delivered() > Ledger.PATIENCE.toNanos());
    }

    /** Splits all that wait by the estimate: nobody will ask the brokers any more. */
    public void finish() {
        estimateAll(each -> true);
    }

    private void estimateAll(Predicate<Waiting> which) {
        List<Waiting> out = new ArrayList<>();
        synchronized (this) {
            waiting.removeIf(each -> which.test(each) && out.add(each));
        }
        out.forEach(this::estimate);
    }

    private void estimate(Waiting each) {
        listener.unmarked(each.leader, MissingMarkReason.NO_MARK);
        each.done.accept(each.estimate.estimated());
    }
}
