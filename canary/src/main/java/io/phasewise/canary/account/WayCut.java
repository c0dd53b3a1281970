/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import static io.phasewise.common.phase.Role.CLIENT;
import static io.phasewise.common.phase.Role.CONTROLLER;
import static io.phasewise.common.phase.Role.DISK;
import static io.phasewise.common.phase.Role.FOLLOWER;
import static io.phasewise.common.phase.Role.HANDLERS;
import static io.phasewise.common.phase.Role.NETWORK;
import static io.phasewise.common.phase.Role.NETWORK_THREADS;
import static io.phasewise.common.phase.Role.PROCESS;
import static io.phasewise.common.phase.Role.UNKNOWN;

import io.phasewise.canary.account.BrokerTimes.Busy;
import io.phasewise.canary.account.BrokerTimes.Fetch;
import io.phasewise.canary.account.BrokerTimes.Pause;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import io.phasewise.common.phase.Role;
import java.util.Arrays;
import java.util.Map;

/**
 * Cuts the way of a probe from T0 to T5 into pieces, each of what it waited for: by what its brokers reported, and by
 * what the canary knows. What is not known is {@link Role#UNKNOWN}, and never spread over others. Which phase a piece is
 * in is left to others. For one thread; the stretch is cut anew for each probe.
 *
 * <p>Every rule below says until when something lasted; an instant has what was said of it first. So the pieces have the
 * length of the way whatever brokers reported, in whatever order, however far their clocks are off.
 *
 * <p>A network thread is busy from the return of its select() until it calls it again. Only passes of over a
 * millisecond are reported. Bytes that came while it was busy are read in the next pass, or in the one after that: so
 * what a request waited for its network thread is the pass in which it was read, and the one before it, if nothing lay
 * between them.
 */
public final class WayCut {
    /** Passes of a network thread that are shorter are not reported. */
    private static final long SHORT = 1_000_000;

    /** Passes with no more between them are one; the agent puts together those of one page by the same rule. */
    private static final long ADJOINING = 50_000;

    /** How long the canary may take by itself, beyond its linger, until it is asked why. */
    private static final long PROMPT = 10_000_000;

    private static final long UNSEEN = MarkPage.UNKNOWN;

    private static final Rows NONE = new Rows(1, 1);

    private final Stretch way = new Stretch();

    /** Of each follower, in the order of their ids. */
    private Stretch[] awaited = new Stretch[0];

    private int[] nextPieces = new int[0];

    /** Whose marks are being used: of them the pauses come first. */
    private Rows pauses = NONE;

    /** What is known of the follower that has an answer, while it has one; otherwise null. */
    private Gaps answering;

    private int asking;
    private BrokerTimes times;
    private int broker;
    private long resting;
    private Way of;

    /** Begins with a probe: what it waited for until the request left that carried it. */
    public void begin(Way probe) {
        of = probe;
        pauses = NONE;
        way.begin(probe.due());
        way.limit(probe.dispatched());
        if (probe.isMoved()) {
            boolean prompt = probe.dispatched() - probe.due() <= probe.lingerNanos() + PROMPT;
            rest(prompt ? Account.NO_BROKER : probe.former(), prompt ? CLIENT : probe.formerRole());
        } else {
            beforeTheSameBroker();
        }
    }

    private void beforeTheSameBroker() {
        long handedOver = of.handedOver();
        way.until(handedOver - of.laneNanos(), Account.NO_BROKER, CLIENT);
        way.until(handedOver, of.leader(), UNKNOWN);
        long own = of.lingerNanos();
        if (of.dispatched() - handedOver - own > PROMPT) {
            own += of.stalledNanos(handedOver, of.dispatched());
            way.until(handedOver + own, Account.NO_BROKER, CLIENT);
            rest(of.leader(), UNKNOWN); // its leader was not known, not reached, or its connection was throttled
        } else {
            rest(Account.NO_BROKER, CLIENT);
        }
    }

    /** Goes on until T4 without any mark: the way to the leader is bounded, nothing else is. */
    public void estimated() {
        pauses = NONE;
        way.limit(of.appended());
        failedAttempts();
        way.until(way.end() + of.delayNanos(), of.leader(), NETWORK);
        way.limit(of.committed());
        rest(of.leader(), UNKNOWN);
        caughtUp();
    }

    /**
     * Goes on until T4 by the leader's marks.
     *
     * @param leader what it reported
     * @param record the probe's
     * @param offset of the probe
     * @param followers what each in {@code record.arrivals} did, in this order
     */
    public void marked(BrokerTimes leader, RecordMark record, long offset, Gaps[] followers) {
        untilAppended(leader, record);
        if (leader.tellsAll()) {
            committed(record, offset, followers);
        } else {
            awaitedUnseen(record.arrivals);
        }
        rest(of.leader(), UNKNOWN);
        pauses = NONE;
        caughtUp();
    }

    /**
     * @param oneWayNanos what a way between that broker and the canary takes at least
     */
    private void use(BrokerTimes reported, int by, long oneWayNanos) {
        times = reported;
        broker = by;
        resting = oneWayNanos;
        pauses = reported.pauses();
    }

    private void failedAttempts() {
        if (of.isMoved()) {
            way.until(of.carried(), of.former(), of.formerRole());
        } else {
            add(of.carried(), of.leader(), UNKNOWN);
        }
    }

    private void published(long received, long appendBegan, long appended, RequestMark request) {
        int leader = of.leader();
        if (received == MarkPage.UNKNOWN) {
            add(way.end() + of.delayNanos(), leader, NETWORK);
            add(appendBegan, leader, UNKNOWN);
        } else if (!times.tellsAll() || request == null) {
            bounded(way, received);
        } else {
            arrives(way, request.processor, received, leader);
        }
        add(appendBegan, leader, HANDLERS);
        add(appended, leader, DISK);
    }

    /** Goes on until T2; the commit is what comes next. */
    private void untilAppended(BrokerTimes leader, RecordMark record) {
        use(leader, of.leader(), of.delayNanos());
        way.limit(of.appended());
        failedAttempts();
        published(
                record.received,
                record.appendBegan,
                record.appended,
                leader.request(record).orElse(null));
        way.limit(of.committed());
    }

    /**
     * Goes on for a probe that has not come back, whose record its leader has reported: until the commit. Whose time
     * that was the followers may yet tell.
     */
    public void committedSoFar(BrokerTimes leader, RecordMark record) {
        untilAppended(leader, record);
        awaitedUnseen(record.arrivals);
        rest(of.leader(), UNKNOWN);
    }

    /**
     * Goes on for a probe that has not come back, whose record was not committed when its leader made its last page:
     * until then. A batch that was being appended waited for the disk. A follower that had not arrived is charged only
     * since nobody has heard of it: what one that is well did, its agent tells when it has done it.
     *
     * @param unheard by follower since when nothing is known of it, be it by its own agent or by those of the brokers
     *     that it follows, on the leader's clock
     */
    public void pendingSoFar(BrokerTimes leader, PendingMark pending, Map<Integer, Long> unheard) {
        use(leader, of.leader(), of.delayNanos());
        way.limit(earlier(leader.made(), of.delivered()));
        failedAttempts();
        boolean isAppended = pending.appended != MarkPage.UNKNOWN;
        published(pending.received, pending.appendBegan, isAppended ? pending.appended : way.limit(), null);
        int count = 0;
        for (int follower : leader.awaited(pending.topicId, pending.partition)) {
            room(count + 1);
            Stretch each = awaited[count++];
            each.begin(way.end());
            each.limit(way.limit());
            Long arrival = pending.arrivals.get(follower);
            if (arrival != null) {
                each.until(arrival, follower, UNKNOWN);
            } else {
                notArrived(each, pending, follower, unheard.get(follower));
            }
        }
        share(count);
    }

    /** What a follower that has not acknowledged a record is awaited for: its fetches as far as they have ended. */
    private void notArrived(Stretch into, PendingMark pending, int follower, Long unheard) {
        long known = times.lastArrival(pending.topicId, pending.partition, follower);
        Rows fetches = times.fetches(follower, MarkPage.UNKNOWN_ID, known);
        int rows = fetches == null ? 0 : fetches.size();
        for (int row = Math.max(0, rows == 0 ? 0 : fetches.firstAt(into.end()) - 1); row < rows; row++) {
            add(into, fetches.at(row, Fetch.RECEIVED), follower, UNKNOWN);
            answered(into, fetches, row, HANDLERS, follower);
        }
        if (unheard != null) {
            add(into, unheard, follower, UNKNOWN);
            add(into, into.limit(), follower, FOLLOWER);
        }
        add(into, into.limit(), follower, UNKNOWN);
    }

    /** Ends with the present for a probe that has not come back: where it has been since is not known. */
    public void openSoFar() {
        pauses = NONE;
        way.limit(of.delivered());
        rest(of.leader(), UNKNOWN);
    }

    /** Of each follower only the instant of its fetch is known: not who delayed it. */
    private void awaitedUnseen(Map<Integer, Long> arrivals) {
        int count = 0;
        room(arrivals.size());
        for (int follower : arrivals.keySet()) {
            Stretch each = awaited[count++];
            each.begin(way.end());
            each.limit(way.limit());
            each.until(arrivals.get(follower), follower, UNKNOWN);
        }
        share(count);
    }

    private void committed(RecordMark record, long offset, Gaps[] followers) {
        int count = 0;
        room(record.arrivals.size());
        for (int follower : record.arrivals.keySet()) {
            Stretch each = awaited[count];
            each.begin(way.end());
            each.limit(way.limit());
            acknowledged(each, record, offset, follower, followers[count]);
            count++;
        }
        share(count);
        removed(record);
        // The handler that learned of the last arrival moves the high watermark, and that takes it a moment.
        boolean moment = way.limit() - way.end() < SHORT;
        add(way.limit(), moment ? of.leader() : Account.NO_BROKER, moment ? HANDLERS : CONTROLLER);
    }

    /** A follower that the commit waited for until it was removed from the in-sync replicas has not arrived. */
    private void removed(RecordMark record) {
        if (way.limit() - way.end() < SHORT) {
            return;
        }
        int count = 0;
        for (int follower : times.followers()) {
            if (!record.arrivals.containsKey(follower)
                    && follower != of.leader()
                    && times.isReplica(record.topicId, record.partition, follower, record.appended)) {
                room(count + 1);
                Stretch each = awaited[count++];
                each.begin(way.end());
                each.limit(way.limit());
                add(each, way.limit(), follower, FOLLOWER);
            }
        }
        share(count);
    }

    /** What a follower is awaited for: one fetch after the other of the connection that brings it the record. */
    private void acknowledged(Stretch into, RecordMark record, long offset, int follower, Gaps gaps) {
        long arrival = record.arrivals.get(follower);
        Rows fetches = times.fetches(follower, gaps.fetcher(), arrival);
        int last = fetches == null ? -1 : fetches.firstAt(arrival) - 1;
        int first = last;
        boolean whole = last >= 0 && !isCutBefore(fetches, last + 1);
        while (whole && first > 0 && fetches.at(first, Fetch.RECEIVED) - into.end() > 0) {
            whole = !isCutBefore(fetches, first);
            first--;
        }
        int own = gaps.broughtIt() ? gaps.size() - 1 : -1;
        if (whole) {
            long before = fetches.at(first, Fetch.RECEIVED);
            int unseen = gapBefore(gaps, record, follower, before);
            between(into, follower, gaps, unseen, UNSEEN, fetches.at(first, Fetch.PROCESSOR), before);
            for (int row = first; row <= last; row++) {
                answered(into, fetches, row, HANDLERS, follower);
                long next = row == last ? arrival : fetches.at(row + 1, Fetch.RECEIVED);
                int gap = row == last ? own : gapBefore(gaps, record, follower, next);
                long processor = fetches.at(row, Fetch.PROCESSOR);
                between(into, follower, gaps, gap, fetches.at(row, Fetch.SENT), processor, next);
            }
        } else {
            between(into, follower, gaps, own, UNSEEN, MarkPage.UNKNOWN_ID, arrival);
        }
        add(into, record.learned.getOrDefault(follower, arrival), broker, HANDLERS);
    }

    /** Of the way of a request of the canary no more is known than how long it takes at least. */
    private void bounded(Stretch into, long received) {
        long sure = Math.min(resting, Math.max(0, received - into.end()));
        add(into, received - sure, broker, UNKNOWN);
        add(into, received, broker, NETWORK);
    }

    private static boolean isCutBefore(Rows fetches, int row) {
        return row < fetches.size() && fetches.at(row, Fetch.FIRST_OF_CUT) != 0;
    }

    /** Which of the gaps of earlier answers ended with a fetch; negative for none. */
    private int gapBefore(Gaps gaps, RecordMark record, int follower, long fetch) {
        for (int gap = gaps.size() - (gaps.broughtIt() ? 2 : 1); gap >= 0; gap--) {
            if (times.arrival(record.topicId, record.partition, gaps.lastOffset(gap), follower) == fetch) {
                return gap;
            }
        }
        return -1;
    }

    /**
     * A fetch is answered: out of the queue, by a handler, and out of the network thread.
     *
     * @param held what it waits for in the handlers' part
     * @param peer the other end of the connection, as the network's broker
     */
    private void answered(Stretch into, Rows fetches, int row, Role held, int peer) {
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

    /**
     * From an answer's last byte to the receipt of the next fetch: the follower, the path, the network thread.
     *
     * @param gap what the follower said of it, negative where it said nothing
     * @param sent that last byte; {@link #UNSEEN} where it was sent before the stretch began, or nobody knows when
     */
    private void between(Stretch into, int follower, Gaps gaps, int gap, long sent, long processor, long next) {
        long from = sent == UNSEEN ? into.end() : sent;
        answering = gaps;
        asking = follower;
        long tail = earlier(tail(processor, next), next);
        if (gap < 0) {
            add(into, times.isBusyKnown() ? tail : from, follower, FOLLOWER);
            answering = null;
            add(into, next, broker, UNKNOWN);
            return;
        }
        long own = Math.max(0, Math.min(gaps.gap(gap), next - from));
        long paused = Math.min(own, gaps.pauses(gap));
        if (sent == UNSEEN && gaps.isClockKnown()) {
            paused = Math.min(paused, gaps.pausedWithin(from, next)); // the others were before it
        }
        long appending = Math.min(own - paused, gaps.appends(gap));
        long begins = from + Math.max(0, paused - gaps.pausedWithin(from, next));
        into.until(earlier(begins, next), follower, PROCESS); // also where the leader was paused, too
        long written = gaps.after(begins, appending);
        add(into, earlier(written, next), follower, DISK);
        add(into, earlier(gaps.after(written, own - paused - appending), next), follower, FOLLOWER);
        if (times.isBusyKnown()) {
            add(into, tail, follower, NETWORK);
        }
        answering = null; // it may have been paused when its fetch was sent already
        arrives(into, processor, next, follower);
    }

    /** A request is on its way until it is read: on the path, and then before a busy network thread. */
    private void arrives(Stretch into, long processor, long received, int path) {
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

    /** Until an instant the network thread where it was busy, the path where it was not. */
    private void busyUntil(Stretch into, Rows passes, long until, int path) {
        for (int pass = passes.firstAt(into.end()); pass < passes.size() && into.end() - until < 0; pass++) {
            add(into, earlier(passes.at(pass, Busy.BEGAN), until), path, NETWORK);
            busy(into, passes, pass, until);
        }
        add(into, until, path, NETWORK);
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
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
    private long tail(long processor, long received) {
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
        if (pass > 0 && tail - passes.at(pass - 1, Busy.ENDED) <= SHORT) {
            tail = passes.at(firstPart(passes, pass - 1), Busy.BEGAN);
        }
        return tail;
    }

    /** A pass that lasts is told in parts, one in each page. */
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

    /** Puts together whom the followers waited for, each until it arrived: several at once share the instant. */
    private void share(int count) {
        Arrays.fill(nextPieces, 0, count, 0);
        while (true) {
            int several = 0;
            long next = way.limit();
            for (int i = 0; i < count; i++) {
                Stretch each = awaited[i];
                while (nextPieces[i] < each.pieces() && each.end(nextPieces[i]) - way.end() <= 0) {
                    nextPieces[i]++;
                }
                if (nextPieces[i] < each.pieces()) {
                    several++;
                    long end = each.end(nextPieces[i]);
                    next = end - next < 0 ? end : next;
                }
            }
            if (several == 0 || next - way.end() <= 0) {
                return;
            }
            divide(count, several, next);
        }
    }

    private void divide(int count, int several, long until) {
        long length = until - way.end();
        long odd = length % several;
        for (int i = 0; i < count; i++) {
            Stretch each = awaited[i];
            int piece = nextPieces[i];
            if (piece < each.pieces()) {
                way.until(way.end() + length / several + (odd-- > 0 ? 1 : 0), each.broker(piece), each.role(piece));
            }
        }
    }

    private void room(int count) {
        if (awaited.length < count) {
            int before = awaited.length;
            awaited = Arrays.copyOf(awaited, count);
            nextPieces = new int[count];
            for (int i = before; i < count; i++) {
                awaited[i] = new Stretch();
            }
        }
    }

    private void caughtUp() {
        way.limit(of.reached());
        rest(Account.NO_BROKER, CLIENT);
    }

    /** Ends with T5 without any mark of the broker that it was read from. */
    public void fetchedUnseen() {
        way.limit(of.delivered());
        long own = of.stalledNanos(way.end(), of.delivered());
        way.until(way.end() + own, Account.NO_BROKER, CLIENT);
        long sure = Math.min(of.fetchDelayNanos(), of.delivered() - way.end());
        way.until(of.delivered() - sure, of.fetchedFrom(), UNKNOWN);
        rest(of.fetchedFrom(), NETWORK);
    }

    /**
     * Ends with T5 by the fetch that brought the record.
     *
     * @param from what the broker that it was read from reported
     * @param client id of the canary's consumer
     * @param held what holds an answer back that could have the record: {@link Role#CLIENT} where the consumer asks for
     *     more than a record, {@link Role#FOLLOWER} where it reads from one, otherwise {@link Role#HANDLERS}
     * @param ahead how far that broker's clock is ahead of the one of the way
     * @return false, and nothing is done, where no such fetch is known
     */
    public boolean fetched(BrokerTimes from, String client, Role held, long ahead) {
        Rows fetches = from.consumer(client);
        long delivered = of.delivered() + ahead;
        int row = fetches == null ? -1 : fetches.firstAt(delivered) - 1;
        while (row >= 0 && fetches.at(row, Fetch.ANSWERED) - delivered > SHORT) {
            row--; // one that was sent in the meantime
        }
        if (row < 0 || fetches.at(row, Fetch.COMPLETED) - (of.committed() + ahead) < 0) {
            return false;
        }
        use(from, of.fetchedFrom(), of.fetchDelayNanos());
        room(1);
        Stretch part = awaited[0]; // on that broker's clock
        part.begin(way.end() + ahead);
        part.limit(delivered);
        if (row > 0) {
            answered(part, fetches, row - 1, held, broker);
        }
        arrives(part, fetches.at(row, Fetch.PROCESSOR), fetches.at(row, Fetch.RECEIVED), broker);
        answered(part, fetches, row, held, broker);
        way.limit(of.delivered());
        for (int piece = 0; piece < part.pieces(); piece++) {
            way.until(part.end(piece) - ahead, part.broker(piece), part.role(piece));
        }
        pauses = NONE;
        long own = of.stalledNanos(way.end(), of.delivered());
        way.until(way.end() + own, Account.NO_BROKER, CLIENT);
        rest(broker, NETWORK);
        return true;
    }

    /** Until the limit. */
    private void rest(int blamed, Role role) {
        add(way.limit(), blamed, role);
    }

    private void add(long until, int blamed, Role role) {
        add(way, until, blamed, role);
    }

    /**
     * As {@link Stretch#until}, but what a pause covers is the pause's: of the follower that has the answer first, which
     * cannot read it while it is paused, then of the broker whose marks are used.
     */
    private void add(Stretch into, long until, int blamed, Role role) {
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

    /** The pieces, from T0 to T5. */
    public Stretch way() {
        return way;
    }
}
