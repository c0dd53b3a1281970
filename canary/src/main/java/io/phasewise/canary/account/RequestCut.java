/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import static io.phasewise.common.phase.Role.CLIENT;
import static io.phasewise.common.phase.Role.HANDLERS;
import static io.phasewise.common.phase.Role.NETWORK;
import static io.phasewise.common.phase.Role.NETWORK_THREADS;
import static io.phasewise.common.phase.Role.PROCESS;
import static io.phasewise.common.phase.Role.UNKNOWN;

import io.phasewise.canary.account.BrokerTimes.Busy;
import io.phasewise.canary.account.BrokerTimes.Fetch;
import io.phasewise.canary.account.BrokerTimes.Pause;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.phase.Role;

/**
 * Cuts what a request to one broker waits for, by what that broker reported, on its clock: on its way in the path and a
 * busy network thread, then the handlers, on its answer's way out the network thread and the path again. Whose request
 * that is, the canary's or a follower's, is left to others. For one thread.
 *
 * <p>A network thread is busy from the return of its select() until it calls it again. Only passes of over a
 * millisecond are reported. Bytes that came while it was busy are read in the next pass, or in the one after that: so
 * what a request waited for its network thread is the pass in which it was read, and the one before it, if nothing lay
 * between them: less than a millisecond, or than a fiftieth of it.
 */
final class RequestCut {
    /** Passes of a network thread that are shorter are not reported. */
    static final long SHORT = 1_000_000;

    /**
     * Nothing lies between two passes, either, where it is so small a part of the first one. On a busy host a select()
     * that finds work at once returns late, as its thread waits for a processor; and of what comes at any time, no more
     * than one in so many comes in between.
     */
    private static final int FEW = 50;

    /** Passes with no more between them are one; the agent puts together those of one page by the same rule. */
    private static final long ADJOINING = 50_000;

    private static final Rows NONE = new Rows(1, 1);

    /** Whose marks are being used: of them the pauses come first. */
    private Rows pauses = NONE;

    private BrokerTimes times;
    private int broker;
    private long resting;

    /** What is known of the follower that has an answer, while it has one; otherwise null. */
    private Gaps answering;

    private int asking;

    /**
     * Goes on with the marks of a broker.
     *
     * @param oneWayNanos what a way between that broker and the canary takes at least
     */
    void use(BrokerTimes reported, int by, long oneWayNanos) {
        times = reported;
        broker = by;
        resting = oneWayNanos;
        pauses = reported.pauses();
    }

    /** Goes on without the pauses of any broker: what follows happens elsewhere. */
    void useNone() {
        pauses = NONE;
    }

    /** What the broker reported whose marks are used. */
    BrokerTimes times() {
        return times;
    }

    /** The broker whose marks are used. */
    int broker() {
        return broker;
    }

    /** From now on a follower has an answer: it cannot read it while its JVM is paused. */
    void answerIsAt(int follower, Gaps gaps) {
        answering = gaps;
        asking = follower;
    }

    /** From now on no follower has an answer. */
    void answerIsRead() {
        answering = null;
    }

    /** Of the way of a request of the canary no more is known than how long it takes at least. */
    void bounded(Stretch into, long received) {
        long sure = Math.min(resting, Math.max(0, received - into.end()));
        add(into, received - sure, broker, UNKNOWN);
        add(into, received, broker, NETWORK);
    }

    /** A request is on its way until it is read: on the path, and then before a busy network thread. */
    void arrives(Stretch into, long processor, long received, int path) {
        if (!times.isBusyKnown() && path == broker) {
            bounded(into, received);
            return;
        }
        if (!times.isBusyKnown()) {
            add(into, received, broker, UNKNOWN);
            return;
        }
        add(into, earlier(tail(processor, received), received), path, NETWORK);
        if (processor == MarkPage.UNKNOWN_ID) {
            add(into, received, broker, UNKNOWN);
        } else {
            busyUntil(into, passes(processor), received, path);
        }
    }

    /**
     * A fetch is answered: out of the queue, by a handler, and out of the network thread.
     *
     * @param held what it waits for in the handlers' part
     * @param peer the other end of the connection, as the network's broker
     */
    void answered(Stretch into, Rows fetches, int row, Role held, int peer) {
        add(into, fetches.at(row, Fetch.DEQUEUED), broker, HANDLERS);
        add(into, fetches.at(row, Fetch.COMPLETED), held == CLIENT ? Account.NO_BROKER : broker, held);
        long taken = fetches.at(row, Fetch.ANSWERED);
        long sent = fetches.at(row, Fetch.SENT);
        add(into, taken, broker, NETWORK_THREADS);
        if (sent - taken <= SHORT) {
            add(into, sent, broker, NETWORK_THREADS);
        } else {
            add(into, times.isBusyKnown() ? taken : sent, broker, UNKNOWN);
            busyUntil(into, passes(fetches.at(row, Fetch.PROCESSOR)), sent, peer);
        }
    }

    /** Until an instant the network thread where it was busy, the path where it was not. */
    private void busyUntil(Stretch into, Rows passes, long until, int path) {
        for (int pass = passes.firstAt(into.end()); pass < passes.size() && into.end() - until < 0; pass++) {
            add(into, earlier(passes.at(pass, Busy.BEGAN), until), path, NETWORK);
            busy(into, passes, pass, until);
        }
        add(into, until, path, NETWORK);
    }

    /** What is left of a pass until an instant: in its share the thread waited for room in the request queue. */
    private void busy(Stretch into, Rows passes, int pass, long until) {
        long began = passes.at(pass, Busy.BEGAN);
        long ended = passes.at(pass, Busy.ENDED);
        long to = earlier(ended, until);
        long length = to - into.end();
        if (length > 0) {
            double full = (double) passes.at(pass, Busy.QUEUE_FULL) / (ended - began);
            add(into, into.end() + Math.min(length, (long) (full * length)), broker, HANDLERS);
            add(into, to, broker, NETWORK_THREADS);
        }
    }

    /** Since when a request that was read at an instant may have waited for a network thread; that instant if never. */
    long tail(long processor, long received) {
        if (processor != MarkPage.UNKNOWN_ID) {
            return tail(passes(processor), received);
        }
        long earliest = received;
        for (Rows each : times.busy()) {
            long tail = tail(each, received);
            earliest = tail - earliest < 0 ? tail : earliest;
        }
        return earliest;
    }

    private static long tail(Rows passes, long received) {
        long tail = received;
        int pass = passes.firstAt(received);
        if (pass < passes.size() && passes.at(pass, Busy.BEGAN) - received < 0) {
            pass = firstPart(passes, pass);
            tail = passes.at(pass, Busy.BEGAN);
        }
        if (pass > 0) {
            long ended = passes.at(pass - 1, Busy.ENDED);
            long began = passes.at(firstPart(passes, pass - 1), Busy.BEGAN);
            if (tail - ended <= Math.max(SHORT, (ended - began) / FEW)) {
                tail = began;
            }
        }
        return tail;
    }

    /** A pass that lasts is reported in parts, one in each page. */
    private static int firstPart(Rows passes, int part) {
        int first = part;
        while (first > 0 && passes.at(first, Busy.BEGAN) - passes.at(first - 1, Busy.ENDED) <= ADJOINING) {
            first--;
        }
        return first;
    }

    private Rows passes(long processor) {
        Rows passes = times.busy((int) processor);
        return passes == null ? NONE : passes;
    }

    static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }

    /**
     * As {@link Stretch#until}, but what a pause covers is the pause's: of the follower that has the answer first, which
     * cannot read it while it is paused, then of the broker whose marks are used.
     */
    void add(Stretch into, long until, int blamed, Role role) {
        long to = earlier(until, into.limit());
        if (answering != null) {
            for (int i = 0; i < answering.pauseCount() && into.end() - to < 0; i++) {
                addUnlessPaused(into, earlier(answering.pauseBegan(i), to), blamed, role);
                into.until(earlier(answering.pauseEnded(i), to), asking, PROCESS);
            }
        }
        addUnlessPaused(into, to, blamed, role);
    }

    private void addUnlessPaused(Stretch into, long to, int blamed, Role role) {
        for (int row = pauses.firstAt(into.end()); row < pauses.size() && into.end() - to < 0; row++) {
            long began = pauses.at(row, Pause.BEGAN);
            long ended = pauses.at(row, Pause.ENDED);
            into.until(earlier(began, to), blamed, role);
            into.until(earlier(ended, to), broker, PROCESS);
        }
        into.until(to, blamed, role);
    }
}
