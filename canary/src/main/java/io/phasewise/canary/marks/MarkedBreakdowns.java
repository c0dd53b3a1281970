/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.canary.estimate.Draft;
import io.phasewise.canary.estimate.PhaseEstimator;
import io.phasewise.canary.phases.Passage;
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
 * Splits the probes of one profile by what their leaders tell of them, as soon as they do; and by
 * the estimate where they do not in time. Thread-safe.
 */
public final class MarkedBreakdowns implements Breakdowns {

    /** Counts a probe that has to do with the estimate. */
    @FunctionalInterface
    public interface Listener {
        /** See {@link Unmarked}. */
        void unmarked(int leader, Unmarked reason);
    }

    private final PhaseEstimator estimator;
    private final MarkBook book;
    private final boolean mirrored;
    private final Listener listener;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private volatile String topicId = "";

    private record Waiting(
            int leader, MarkKey key, int epoch, Draft draft, Consumer<Breakdown> done) {}

    private record Found(Waiting probe, Passage there) {}

    /**
     * @param estimator sees each probe, whoever tells of it
     * @param book what brokers told
     * @param mirrored whether probes are read in another cluster than they are sent to
     * @param listener is told of estimates
     */
    public MarkedBreakdowns(
            PhaseEstimator estimator, MarkBook book, boolean mirrored, Listener listener) {
        this.estimator = estimator;
        this.book = book;
        this.mirrored = mirrored;
        this.listener = listener;
    }

    /** Whether a broker tells of probes at present. */
    public boolean isTold(int broker) {
        return book.tells(broker);
    }

    /** Sets the id of the topic that probes are sent to; empty while it is not known. */
    public void topic(String id) {
        topicId = id;
    }

    @Override
    public void split(
            Probe probe, Optional<SendResult> sent, Delivery delivery, Consumer<Breakdown> done) {
        Draft draft = estimator.draft(probe, sent, delivery);
        int leader = sent.map(SendResult::broker).orElse(probe.leader());
        long offset = mirrored ? sent.map(SendResult::offset).orElse(-1L) : delivery.offset();
        int epoch = mirrored ? Delivery.NO_EPOCH : delivery.epoch();
        if (!book.tells(leader) || offset < 0) {
            listener.unmarked(leader, Unmarked.NO_ANSWER);
            done.accept(draft.estimated());
            return;
        }
        synchronized (this) {
            waiting.add(
                    new Waiting(
                            leader,
                            new MarkKey(topicId, probe.partition(), offset),
                            epoch,
                            draft,
                            done));
        }
    }

    /** Splits the probes that have been told of; call it whenever a broker has told something. */
    public void settle() {
        List<Found> found = new ArrayList<>();
        synchronized (this) {
            waiting.removeIf(
                    each ->
                            book.of(each.leader)
                                    .passage(each.key, each.epoch)
                                    .map(there -> found.add(new Found(each, there)))
                                    .isPresent());
        }
        // All clocks learn first: an instant is the better told the more is known.
        found.forEach(
                each -> book.of(each.probe.leader).learn(each.probe.draft.seen(), each.there));
        for (Found each : found) {
            Waiting probe = each.probe;
            book.of(probe.leader)
                    .told(probe.draft, each.there)
                    .ifPresentOrElse(probe.done, () -> estimate(probe));
        }
    }

    /**
     * Splits by the estimate what has waited for too long; call it several times a second.
     *
     * @param now monotonic nanoseconds
     */
    public void expire(long now) {
        estimateAll(each -> now - each.draft.seen().delivered() > Ledger.PATIENCE.toNanos());
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
        listener.unmarked(each.leader, Unmarked.NO_MARK);
        each.done.accept(each.draft.estimated());
    }
}
