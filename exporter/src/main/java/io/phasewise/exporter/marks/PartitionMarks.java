/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The marks of a partition that this broker leads, and who holds its watermark back: all that is
 * known of a batch of records between its append and its commit. There is one mark for each append.
 * A pure state machine; instants are handed in, in nanoseconds of one clock.
 *
 * <p>While a batch waits, the wait is charged to the one follower of the maximal in-sync set that
 * does not have it yet; to {@link #SEVERAL} while there are more; to {@link #LEADER} once all have
 * it, and while its JVM is paused. It is charged while it lasts, whether the follower gets the
 * batch in the end or is removed from the in-sync set. So the charged seconds of committed batches
 * sum up to their commit latencies.
 *
 * <p>Thread-safe; one lock, held for as long as it takes to look at the pending marks. Marks that
 * are pending, and appends that have begun, are counted where others see it without that lock.
 */
final class PartitionMarks {

    /** Holder of a wait: more than one follower. */
    static final int SEVERAL = -1;

    /**
     * Holder of a wait: the leader. It has heard from all followers, or was paused and could hear
     * from none.
     */
    static final int LEADER = -2;

    /**
     * Marks of this partition that wait for their commit; one more drops the oldest. At 20 batches a
     * second, the canary's default, a commit may take 51 s before that happens.
     */
    static final int MOST_PENDING = 1_024;

    /**
     * So many request handlers may overtake one another between an append and its mark; of one that comes later than that
     * it is not known whether it was marked already.
     */
    static final int MOST_AT_ONCE = 16;

    private static final int[] NOBODY = {};

    private final int partition;
    private final MarkListener listener;
    private final Pauses pauses;
    private final AtomicLong waiting;
    private final AwaitedFollowers awaited;
    private final Deque<WaitingBatch> pending = new ArrayDeque<>();
    private Object knownTopic;
    private String topicId = "";
    private int leaderEpoch = -1;
    private int[] followers = NOBODY;

    /** For each follower: the first offset that it does not have yet. */
    private long[] ends = {};

    /** For each follower: whether a pending mark waits for it, as {@link #awaited} knows. */
    private boolean[] awaiting = {};

    /** Offset of the first record that is not committed. */
    private long watermark;

    /** Last offsets of the batches that were appended last, in the order in which that became known; a ring. */
    private final long[] recent = new long[MOST_AT_ONCE];

    private long appendedCount;

    /**
     * @param listener told from the broker's threads
     * @param pauses of this JVM
     * @param waiting counts pending marks and appends that have begun, of all partitions
     * @param awaited told which followers marks wait for, of all partitions
     */
    PartitionMarks(int partition, MarkListener listener, Pauses pauses, AtomicLong waiting, AwaitedFollowers awaited) {
        this.partition = partition;
        this.listener = listener;
        this.pauses = pauses;
        this.waiting = waiting;
        this.awaited = awaited;
    }

    /**
     * A batch is about to be appended: {@link #appended} or {@link #notAppended} must follow.
     *
     * @param topic its id; a mark of another one is dropped
     * @param epoch of the leader; a mark of another one is dropped
     * @param maximalIsr the maximal in-sync set without the leader
     */
    synchronized void appending(Object topic, int epoch, int[] maximalIsr, long now) {
        waiting.incrementAndGet();
        if (epoch != leaderEpoch || !Objects.equals(topic, knownTopic)) {
            drop("leader_change", now);
            knownTopic = topic;
            topicId = String.valueOf(topic);
            leaderEpoch = epoch;
            watermark = 0;
            appendedCount = 0;
            followers = NOBODY;
            ends = new long[0];
            awaiting = new boolean[0];
        }
        if (!Arrays.equals(followers, maximalIsr)) {
            chargeUntil(now);
            long[] known = new long[maximalIsr.length];
            for (int i = 0; i < known.length; i++) {
                int before = indexOf(maximalIsr[i]);
                known[i] = before < 0 ? 0 : ends[before];
            }
            awaitNobody(now);
            followers = maximalIsr.clone();
            ends = known;
            awaiting = new boolean[known.length];
            awaitFollowers(now);
        }
    }

    /** The append that began has failed. */
    void notAppended() {
        waiting.decrementAndGet();
    }

    /**
     * The append has returned. What followers said since it began counts: they may have fetched the
     * record before the thread that appended it got here.
     *
     * @param epoch as it was when the append began; where there has been another one since, there
     *     is no mark: when the record was committed may have been said meanwhile
     * @param end offset of the next record as it was when the append began
     * @param first offset of its first record
     * @param last offset of its last record; below the end, or known before, when the log recognized a
     *     batch that a producer sent again, of which there is no mark: a new leader may have that batch
     *     from the time when it was a follower. Below the last one where another request handler,
     *     which appended after it, was faster here
     * @param received when its request was received, {@link MarkPage#UNKNOWN} where that is unknown
     * @param began when the append began
     */
    synchronized void appended(int epoch, long end, long first, long last, long received, long began, long now) {
        if (epoch != leaderEpoch) {
            waiting.decrementAndGet();
            listener.dropped(1, "leader_change");
            return;
        }
        if (last < end || isRecent(last)) {
            waiting.decrementAndGet();
            return;
        }
        if (isOlderThanRecent(last)) {
            waiting.decrementAndGet();
            listener.dropped(1, "memory"); // it may have a mark, or not
            return;
        }
        recent[(int) (appendedCount++ % MOST_AT_ONCE)] = last;
        WaitingBatch batch = new WaitingBatch(topicId, partition, leaderEpoch, first, last, received, began, now);
        for (int i = 0; i < followers.length; i++) {
            if (ends[i] > last) {
                arrived(batch, followers[i], now, now);
            }
        }
        if (watermark > last) {
            committed(batch, now);
            return;
        }
        if (pending.size() == MOST_PENDING) {
            pending.removeFirst();
            waiting.decrementAndGet();
            listener.dropped(1, "memory");
        }
        insert(batch);
        awaitFollowers(now);
    }

    private boolean isRecent(long last) {
        for (int i = 0; i < Math.min(appendedCount, MOST_AT_ONCE); i++) {
            if (recent[i] == last) {
                return true;
            }
        }
        return false;
    }

    private boolean isOlderThanRecent(long last) {
        if (appendedCount < MOST_AT_ONCE) {
            return false;
        }
        for (long each : recent) {
            if (each < last) {
                return false;
            }
        }
        return true;
    }

    /** In the order of offsets: nearly always at the end. */
    private void insert(WaitingBatch batch) {
        if (pending.isEmpty() || pending.peekLast().last < batch.last) {
            pending.addLast(batch);
            return;
        }
        Deque<WaitingBatch> later = new ArrayDeque<>();
        while (!pending.isEmpty() && pending.peekLast().last > batch.last) {
            later.addFirst(pending.removeLast());
        }
        pending.addLast(batch);
        pending.addAll(later);
    }

    /**
     * A follower says that it has all records before an offset.
     *
     * @param received when the leader received the fetch that says so; the time from then on is not
     *     the follower's
     * @param now when the partition learns of it
     */
    synchronized void fetched(int follower, long end, long received, long now) {
        int index = indexOf(follower);
        if (index < 0) {
            return;
        }
        for (WaitingBatch batch : pending) {
            if (batch.last >= ends[index] && batch.last < end) {
                charge(batch, received);
                arrived(batch, follower, received, now);
            }
        }
        // A follower that has truncated its log reports a lower offset than before.
        ends[index] = end;
        awaitFollowers(now);
    }

    /**
     * The watermark moves.
     *
     * @param offset of the first record that is not committed
     */
    synchronized void committed(long offset, long now) {
        watermark = offset;
        for (Iterator<WaitingBatch> batches = pending.iterator(); batches.hasNext(); ) {
            WaitingBatch batch = batches.next();
            if (batch.last >= offset) {
                break;
            }
            charge(batch, now);
            committed(batch, now);
            batches.remove();
        }
        awaitFollowers(now);
    }

    /** Charges what batches have waited until now; called before the charges are shown. */
    synchronized void chargeUntil(long now) {
        for (WaitingBatch batch : pending) {
            charge(batch, now);
        }
    }

    /** Forgets the pending marks, whose commit will not be known; the reason is one of MarkMetrics. */
    synchronized void drop(String reason, long now) {
        int dropped = pending.size();
        if (dropped > 0) {
            pending.clear();
            waiting.addAndGet(-dropped);
            listener.dropped(dropped, reason);
        }
        awaitNobody(now);
    }

    /**
     * Copies which batches are pending, the oldest first. Nothing else is done under the lock, for which
     * the broker's threads wait: what is known of a batch is read afterwards.
     *
     * @param into has room for {@link #MOST_PENDING}
     * @return how many they are
     */
    synchronized int pending(WaitingBatch[] into) {
        pending.toArray(into);
        return pending.size();
    }

    /**
     * What is known of a batch that is being appended.
     *
     * @param end of the log as the append began
     */
    PendingMark appending(int epoch, long end, long received, long began) {
        return new PendingMark(
                topicId(),
                partition,
                epoch,
                end,
                MarkPage.UNKNOWN,
                received,
                began,
                MarkPage.UNKNOWN,
                Map.of(),
                Map.of());
    }

    private synchronized String topicId() {
        return topicId;
    }

    /** Of the pending marks the last one waits for every follower that any of them waits for. */
    private void awaitFollowers(long now) {
        for (int i = 0; i < followers.length; i++) {
            boolean waits = !pending.isEmpty() && pending.peekLast().last >= ends[i];
            if (waits != awaiting[i]) {
                awaiting[i] = waits;
                if (waits) {
                    awaited.begin(followers[i]);
                } else {
                    awaited.end(followers[i], now);
                }
            }
        }
    }

    private void awaitNobody(long now) {
        for (int i = 0; i < followers.length; i++) {
            if (awaiting[i]) {
                awaiting[i] = false;
                awaited.end(followers[i], now);
            }
        }
    }

    private void arrived(WaitingBatch batch, int follower, long at, long learned) {
        long arrival = Math.max(at, batch.appended);
        batch.arrived(follower, arrival, Math.max(learned, arrival));
        listener.acknowledged(follower, arrival - batch.appended);
    }

    private void committed(WaitingBatch batch, long now) {
        waiting.decrementAndGet();
        listener.committed(batch.committed(Math.max(now, batch.appended)));
    }

    private void charge(WaitingBatch batch, long until) {
        if (until > batch.chargedUntil) {
            long paused = pauses.between(batch.chargedUntil, until);
            if (paused > 0) {
                listener.waited(LEADER, paused);
            }
            listener.waited(holder(batch), until - batch.chargedUntil - paused);
            batch.chargedUntil = until;
        }
    }

    private int holder(WaitingBatch batch) {
        int holder = LEADER;
        for (int i = 0; i < followers.length; i++) {
            if (ends[i] <= batch.last) {
                if (holder != LEADER) {
                    return SEVERAL;
                }
                holder = followers[i];
            }
        }
        return holder;
    }

    private int indexOf(int follower) {
        for (int i = 0; i < followers.length; i++) {
            if (followers[i] == follower) {
                return i;
            }
        }
        return -1;
    }
}
