/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import static io.phasewise.common.phase.Role.CONTROLLER;
import static io.phasewise.common.phase.Role.DISK;
import static io.phasewise.common.phase.Role.FOLLOWER;
import static io.phasewise.common.phase.Role.HANDLERS;
import static io.phasewise.common.phase.Role.NETWORK;
import static io.phasewise.common.phase.Role.PROCESS;
import static io.phasewise.common.phase.Role.UNKNOWN;

import io.phasewise.canary.account.BrokerTimes.Fetch;
import io.phasewise.common.marks.BatchMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import java.util.Arrays;
import java.util.Map;

/**
 * Cuts a commit. It waits for each in-sync follower until that one's fetch acknowledges the record, and what a follower
 * is awaited for follows from its fetches, one after the other, on the connection that brings it the record. Several that
 * are awaited at once share the instant. For one thread.
 */
final class CommitCut {
    private static final long UNSEEN = MarkPage.UNKNOWN;

    private final Stretch way;
    private final RequestCut requests;

    /** Of each follower, in the order of their ids. */
    private Stretch[] awaited = new Stretch[0];

    private int[] nextPieces = new int[0];

    /**
     * @param way of a probe, until its record was appended
     * @param requests uses the marks of the leader
     */
    CommitCut(Stretch way, RequestCut requests) {
        this.way = way;
        this.requests = requests;
    }

    /**
     * By the fetches of each follower until it arrived, then, nobody being awaited, until the limit.
     *
     * @param followers what each in {@code record.arrivals} did, in this order
     */
    void reported(RecordMark record, Gaps[] followers) {
        int count = 0;
        for (int follower : record.arrivals.keySet()) {
            acknowledged(awaited(count), record, follower, followers[count]);
            count++;
        }
        share(count);
        removed(record);
        // The high watermark moves under the lock of the log, which an append holds while it writes and flushes.
        long written = requests.times().appendingUntil(record, way.end(), way.limit());
        requests.add(way, written, requests.broker(), DISK);
        // The handler that learned of the last arrival moves the high watermark, and that takes it a moment.
        boolean moment = way.limit() - way.end() < RequestCut.SHORT;
        requests.add(way, way.limit(), moment ? requests.broker() : Account.NO_BROKER, moment ? HANDLERS : CONTROLLER);
    }

    /** A follower that the commit waited for until it was removed from the in-sync replicas has not arrived. */
    private void removed(RecordMark record) {
        if (way.limit() - way.end() < RequestCut.SHORT) {
            return;
        }
        int count = 0;
        for (int follower : requests.times().followers()) {
            if (!record.arrivals.containsKey(follower)
                    && follower != requests.broker()
                    && requests.times().isReplica(record.topicId, record.partition, follower, record.appended)) {
                requests.add(awaited(count++), way.limit(), follower, FOLLOWER);
            }
        }
        share(count);
    }

    /** Of each follower only the instant of its fetch is known: not who delayed it. */
    void arrived(Map<Integer, Long> arrivals) {
        int count = 0;
        for (int follower : arrivals.keySet()) {
            awaited(count++).until(arrivals.get(follower), follower, UNKNOWN);
        }
        share(count);
    }

    /**
     * For a record that its followers have arrived for, by what those tell that have told it.
     *
     * @param told what followers did with the answer that brought it
     */
    void arrived(BatchMark record, Map<Integer, Gaps> told) {
        int count = 0;
        for (int follower : record.arrivals.keySet()) {
            arrived(awaited(count++), record, follower, told.get(follower));
        }
        share(count);
    }

    /**
     * For a batch that is not committed, until the limit. A follower that has not arrived is charged only since nobody has
     * heard of it.
     *
     * @param acknowledged by follower that is awaited the last batch up to this one that it has acknowledged
     * @param told what each of them did with the answer that brought that
     * @param unheard by follower since when nothing is known of it
     */
    void pending(
            PendingMark pending,
            Map<Integer, BatchMark> acknowledged,
            Map<Integer, Gaps> told,
            Map<Integer, Long> unheard) {
        int count = 0;
        for (Map.Entry<Integer, BatchMark> each : acknowledged.entrySet()) {
            int follower = each.getKey();
            Stretch into = awaited(count++);
            if (pending.arrivals.containsKey(follower)) {
                arrived(into, pending, follower, told.get(follower));
            } else {
                long last = each.getValue().arrivals.get(follower);
                notArrived(into, last, follower, told.get(follower), unheard.get(follower));
            }
        }
        share(count);
    }

    /** What it did its agent may tell later. */
    private void arrived(Stretch into, BatchMark record, int follower, Gaps told) {
        if (told != null && told.isTold()) {
            acknowledged(into, record, follower, told);
        } else {
            into.until(record.arrivals.get(follower), follower, UNKNOWN);
        }
    }

    /** What a follower is awaited for: one fetch after the other of the connection that brings it the record. */
    private void acknowledged(Stretch into, BatchMark record, int follower, Gaps gaps) {
        long arrival = record.arrivals.get(follower);
        into.limit(RequestCut.earlier(arrival, way.limit())); // an answer's end may have been noticed after it
        Rows fetches = requests.times().fetches(follower, gaps.fetcher(), arrival);
        int last = fetches == null ? -1 : fetches.firstAt(arrival) - 1;
        int first = last;
        boolean whole = last >= 0 && !isCutBefore(fetches, last + 1);
        while (whole && first > 0 && fetches.at(first, Fetch.RECEIVED) - into.end() > 0) {
            whole = !isCutBefore(fetches, first);
            first--;
        }
        if (whole) {
            long before = fetches.at(first, Fetch.RECEIVED);
            int unseen = gaps.before(last + 1 - first);
            between(into, follower, gaps, unseen, UNSEEN, fetches.at(first, Fetch.PROCESSOR), before);
            for (int row = first; row <= last; row++) {
                requests.answered(into, fetches, row, HANDLERS, follower);
                long next = row == last ? arrival : fetches.at(row + 1, Fetch.RECEIVED);
                long processor = fetches.at(row, Fetch.PROCESSOR);
                long sent = isNext(fetches, row, into.end()) ? fetches.at(row, Fetch.SENT) : UNSEEN;
                between(into, follower, gaps, gaps.before(last - row), sent, processor, next);
            }
        } else {
            between(into, follower, gaps, gaps.before(0), UNSEEN, MarkPage.UNKNOWN_ID, arrival);
        }
        into.limit(way.limit());
        requests.add(into, record.learned.getOrDefault(follower, arrival), requests.broker(), HANDLERS);
    }

    /**
     * Whether the fetch after one is the next one of its connection. Of fetches that were answered before the append only
     * those are reported that another record may have waited for. An agent of the release before does not number them: then
     * it is taken for the next one.
     */
    private static boolean isNext(Rows fetches, int row, long appended) {
        if (fetches.at(row, Fetch.SENT) - appended > 0) {
            return true;
        }
        long number = fetches.at(row, Fetch.NUMBER);
        return number == MarkPage.UNKNOWN
                || row + 1 < fetches.size() && fetches.at(row + 1, Fetch.NUMBER) - number == 1;
    }

    private static boolean isCutBefore(Rows fetches, int row) {
        return row < fetches.size() && fetches.at(row, Fetch.FIRST_OF_CUT) != 0;
    }

    /**
     * From an answer's last byte to the receipt of the next fetch: the follower, the path, the network thread.
     *
     * @param gap what the follower said of it, as {@link Gaps#before} has it
     * @param sent that last byte; {@link #UNSEEN} where it was sent before the stretch began, or nobody knows when
     */
    private void between(Stretch into, int follower, Gaps gaps, int gap, long sent, long processor, long next) {
        long from = sent == UNSEEN ? into.end() : sent;
        requests.answerIsAt(follower, gaps);
        long tail = RequestCut.earlier(requests.tail(processor, next), next);
        if (gap == Gaps.UNKNOWN) {
            requests.add(into, requests.times().isBusyKnown() ? tail : from, follower, FOLLOWER);
            requests.answerIsRead();
            requests.add(into, next, requests.broker(), UNKNOWN);
            return;
        }
        if (gap != Gaps.SHORT) {
            own(into, follower, gaps, gap, sent, next);
        }
        if (requests.times().isBusyKnown()) {
            requests.add(into, tail, follower, NETWORK);
        }
        requests.answerIsRead(); // it may have been paused when its fetch was sent already
        requests.arrives(into, processor, next, follower);
    }

    /** The follower's own part of it: its pauses, its appends, the rest. */
    private void own(Stretch into, int follower, Gaps gaps, int gap, long sent, long next) {
        long from = sent == UNSEEN ? into.end() : sent;
        long own = Math.max(0, Math.min(gaps.gap(gap), next - from));
        long paused = Math.min(own, gaps.pauses(gap));
        if (sent == UNSEEN && gaps.isClockKnown()) {
            paused = Math.min(paused, gaps.pausedWithin(from, next)); // the others were before it
        }
        long appending = Math.min(own - paused, gaps.appends(gap));
        long begins = from + Math.max(0, paused - gaps.pausedWithin(from, next));
        into.until(RequestCut.earlier(begins, next), follower, PROCESS); // also where the leader was paused, too
        long written = gaps.after(begins, appending);
        requests.add(into, RequestCut.earlier(written, next), follower, DISK);
        requests.add(into, RequestCut.earlier(gaps.after(written, own - paused - appending), next), follower, FOLLOWER);
    }

    /**
     * What a follower that has not acknowledged a record is awaited for: its fetches as far as they have ended. Between
     * two of them it had an answer, and what it did with that it has told up to the one that brought its last batch.
     *
     * @param known when the fetch was received that acknowledged that batch
     * @param told what it did with the answer that brought it; null for nothing
     */
    private void notArrived(Stretch into, long known, int follower, Gaps told, Long unheard) {
        Rows fetches = requests.times().fetches(follower, MarkPage.UNKNOWN_ID, known);
        int rows = fetches == null ? 0 : fetches.size();
        int last = rows == 0 ? -1 : fetches.firstAt(known);
        if (told == null || !told.isTold() || last == rows) {
            last = -1;
        }
        int first = Math.max(0, rows == 0 ? 0 : fetches.firstAt(into.end()) - 1);
        for (int row = first; row < rows; row++) {
            long received = fetches.at(row, Fetch.RECEIVED);
            int gap = row > first && isWhole(fetches, row, last) ? told.before(last - row) : Gaps.UNKNOWN;
            if (gap == Gaps.UNKNOWN) {
                requests.add(into, received, follower, UNKNOWN);
            } else {
                long sent = fetches.at(row - 1, Fetch.SENT);
                between(into, follower, told, gap, sent, fetches.at(row - 1, Fetch.PROCESSOR), received);
            }
            requests.answered(into, fetches, row, HANDLERS, follower);
        }
        if (unheard != null) {
            requests.add(into, unheard, follower, UNKNOWN);
            requests.add(into, into.limit(), follower, FOLLOWER);
        }
        requests.add(into, into.limit(), follower, UNKNOWN);
    }

    /** Whether no fetch is missing from the one before a row to the last one. */
    private static boolean isWhole(Rows fetches, int row, int last) {
        for (int at = row; at <= last; at++) {
            if (isCutBefore(fetches, at)) {
                return false;
            }
        }
        return row <= last;
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

    /** The stretch of one more follower, from the end of the way to its limit. */
    private Stretch awaited(int index) {
        if (index == awaited.length) {
            awaited = Arrays.copyOf(awaited, index + 1);
            awaited[index] = new Stretch();
            nextPieces = new int[index + 1];
        }
        Stretch each = awaited[index];
        each.begin(way.end());
        each.limit(way.limit());
        return each;
    }
}
