/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.marks;

import io.phasewise.canary.estimate.Draft;
import io.phasewise.canary.estimate.PhaseEstimator;
import io.phasewise.canary.probe.ledger.Breakdown;
import io.phasewise.canary.probe.ledger.Breakdowns;
import io.phasewise.canary.probe.ledger.Delivery;
import io.phasewise.canary.probe.ledger.Ledger;
import io.phasewise.canary.probe.ledger.Probe;
import io.phasewise.canary.probe.ledger.SendResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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

    /**
     * Splits the probes that have been told of, and those that have waited for too long; call it
     * several times a second, and whenever a broker has told something.
     *
     * @param now monotonic nanoseconds
     */
    public void settle(long now) {
        List<Runnable> settled = new ArrayList<>();
        synchronized (this) {
            // All clocks learn first: an instant is the better told the more is known.
            waiting.forEach(each -> book.learn(each.leader, each.key, each.epoch, each.draft));
            for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
                Waiting each = all.next();
                Optional<Breakdown> told = book.told(each.leader, each.key, each.epoch, each.draft);
                boolean over = now - each.draft.seen().delivered() > Ledger.PATIENCE.toNanos();
                if (told.isPresent()) {
                    settled.add(() -> each.done.accept(told.get()));
                    all.remove();
                } else if (over) {
                    settled.add(() -> estimate(each));
                    all.remove();
                }
            }
        }
        settled.forEach(Runnable::run);
    }

    /** Splits all that wait by the estimate: nobody will ask the brokers any more. */
    public void finish() {
        List<Waiting> rest;
        synchronized (this) {
            rest = List.copyOf(waiting);
            waiting.clear();
        }
        rest.forEach(this::estimate);
    }

    private void estimate(Waiting each) {
        listener.unmarked(each.leader, Unmarked.NO_MARK);
        each.done.accept(each.draft.estimated());
    }
}
