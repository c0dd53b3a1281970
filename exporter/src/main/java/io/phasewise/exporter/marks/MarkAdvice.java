/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.exporter.instrument.Hooks;
import io.phasewise.exporter.instrument.ScalaValues;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;

/**
 * What Kafka's classes call: see {@link MarkHooks} for where. Public, and static, as there is no
 * object to reach it by from there. While {@link #marks} and {@link #appends} are null nothing is
 * marked and no append is timed.
 */
public final class MarkAdvice {

    /** Takes marks; null while there are none to take. */
    static volatile Marks marks;

    /** Takes the times of appends; null while they are not recorded. */
    static volatile AppendTimes appends;

    /** False once the hook of receipts has failed: when requests were received is then not known. */
    static volatile boolean receipts = true;

    /** Id of this broker; unknown until it appends to the canary's topic. */
    static volatile int broker = MarkPage.UNKNOWN_ID;

    private static final HookBudget APPENDS = new HookBudget(MarkHooks.APPENDS);
    private static final HookBudget LEADER_APPENDS = new HookBudget(MarkHooks.LEADER_APPENDS);
    private static final HookBudget FOLLOWERS = new HookBudget(MarkHooks.FOLLOWERS);
    private static final HookBudget WATERMARKS = new HookBudget(MarkHooks.WATERMARKS);
    static final List<HookBudget> BUDGETS =
            List.of(APPENDS, LEADER_APPENDS, FOLLOWERS, WATERMARKS, NetworkAdvice.BUDGET, FollowerAdvice.BUDGET);

    /** Of one append in so many the hook's own time counts for the budget; the clock's last bits draw it. */
    private static final int SAMPLED = 16;

    /** What a thread of the broker is doing at present. */
    private static final class Work {
        private long requestReceived = MarkPage.UNKNOWN;

        /** Of the partition whose record is being appended, where that is to be a mark. */
        private PartitionMarks marking;

        private int epoch;

        /** Other threads read this field: it is written after the fields that belong to it. */
        private volatile boolean appending;

        private String directory;
        private boolean leader;
        private long began;

        /** Whether the thread is a request handler. */
        private boolean handlers;

        private long end;
        private long first;

        /** What is still being appended, as far as this knows, has failed. */
        private void appendOver() {
            appending = false;
            giveUp();
        }

        /** The append of a record that was to be marked has failed. */
        private void giveUp() {
            if (marking != null) {
                marking.notAppended();
                marking = null;
            }
        }

        private long received() {
            return receipts ? requestReceived : MarkPage.UNKNOWN;
        }
    }

    private static final ThreadLocal<Work> WORK = ThreadLocal.withInitial(Work::new);

    /** Few threads, which live as long as the broker unless their number is changed. */
    private static final List<Work> HANDLERS = new CopyOnWriteArrayList<>();

    private MarkAdvice() {}

    /** A request handler begins with a request. */
    public static void requestBegins(long received) {
        if (receipts) {
            Work work = WORK.get();
            work.requestReceived = received;
            if (!work.handlers) {
                work.handlers = true;
                HANDLERS.add(work);
            }
            work.appendOver();
        }
    }

    /** A request handler is done with a request: an append that it has begun, and not ended, threw. Never throws. */
    public static void requestEnds() {
        try {
            if (receipts) {
                WORK.get().appendOver();
            }
        } catch (Throwable surprise) {
            Hooks.failed(surprise, MarkHooks.RECEIPTS);
        }
    }

    /**
     * Age of the oldest append that a request handler is working on, nanoseconds; 0 without one.
     */
    static long oldestAppendNanos() {
        long now = System.nanoTime();
        long oldest = 0;
        for (Work work : HANDLERS) {
            if (work.appending) {
                oldest = Math.max(oldest, now - work.began);
            }
        }
        return oldest;
    }

    /** Adds what is known of the batches that request handlers are appending as leaders. */
    static void appending(List<PendingMark> all) {
        for (Work work : HANDLERS) {
            if (work.appending && work.leader) {
                PartitionMarks marking = work.marking;
                int epoch = work.epoch;
                long end = work.end;
                long received = work.received();
                long began = work.began;
                // The thread may have gone on to another append while this looked.
                if (marking != null && work.appending && work.marking == marking && work.began == began) {
                    all.add(marking.appending(epoch, end, received, began));
                }
            }
        }
    }

    /**
     * Whether a leader is about to append records that are to be marked: asked of every append. Ends
     * what is left of an append that threw.
     */
    public static boolean isMarked(TopicPartition partition) {
        Marks current = marks;
        Work work = WORK.get();
        work.giveUp();
        return current != null && current.concerns(partition);
    }

    /** Whether a fetch or a watermark can be of interest at all: asked of every one. */
    public static boolean isAnyPending() {
        Marks current = marks;
        return current != null && current.waiting() != 0;
    }

    /**
     * A leader is about to append what {@link #isMarked}.
     *
     * @param topicId an option of Scala's
     * @param maximalIsr a set of broker ids, Scala's or Java's
     */
    public static void leaderAppends(
            TopicPartition partition, Object topicId, int leaderEpoch, Object maximalIsr, int leader) {
        Marks current = marks;
        if (current == null) {
            return;
        }
        learnBroker(leader);
        Work work = WORK.get();
        long began = System.nanoTime();
        work.marking = current.of(partition);
        work.epoch = leaderEpoch;
        work.marking.appending(ScalaValues.orNull(topicId), leaderEpoch, without(leader, maximalIsr), began);
        LEADER_APPENDS.spend(System.nanoTime() - began);
    }

    /** Of which broker this JVM is, as it says with each append. */
    static void learnBroker(int id) {
        if (broker != id) {
            broker = id;
        }
    }

    private static int[] without(int leader, Object ids) {
        if (ids instanceof Set) {
            // No stream: code that runs for few records only is never compiled well.
            int[] others = new int[((Set<?>) ids).size()];
            int count = 0;
            for (Object id : (Set<?>) ids) {
                if ((Integer) id != leader) {
                    others[count++] = (Integer) id;
                }
            }
            return Arrays.copyOf(others, count);
        }
        return ScalaValues.ids(ids).filter(id -> id != leader).toArray();
    }

    /**
     * A log is about to append.
     *
     * @param end offset of the next record
     */
    public static void logAppends(String directory, boolean leader, long end) {
        if (appends == null && marks == null) {
            return;
        }
        Work work = WORK.get();
        work.directory = directory;
        work.leader = leader;
        work.end = end;
        work.began = System.nanoTime();
        work.appending = true;
    }

    /** A log has appended, and {@link #logAppended} follows. Never throws. */
    public static void firstAppended(long firstOffset) {
        Work work = WORK.get();
        if (work.marking != null) {
            work.first = firstOffset;
        }
    }

    /** A log has appended. Never throws. */
    public static void logAppended(long lastOffset) {
        try {
            Work work = WORK.get();
            if (!work.appending) {
                return;
            }
            work.appending = false;
            long now = System.nanoTime();
            AppendTimes times = appends;
            if (times != null) {
                times.record(work.directory, work.leader, now - work.began);
            }
            if (!work.leader) {
                FollowerAdvice.appended(work.end, lastOffset, now - work.began); // its failures are its own
            } else if (work.marking != null) {
                PartitionMarks marking = work.marking;
                work.marking = null;
                marking.appended(work.epoch, work.end, work.first, lastOffset, work.received(), work.began, now);
            }
            if (now % SAMPLED == 0) {
                APPENDS.spend(SAMPLED, System.nanoTime() - now);
            }
        } catch (Throwable surprise) {
            Hooks.failed(surprise, MarkHooks.APPENDS);
        }
    }

    /**
     * A follower says what it has.
     *
     * @param end offset of the first record that it does not have
     */
    public static void followerFetches(TopicPartition partition, int follower, long end) {
        PartitionMarks awaited = awaited(partition);
        if (awaited != null) {
            long began = System.nanoTime();
            long received = WORK.get().received();
            awaited.fetched(follower, end, received == MarkPage.UNKNOWN ? began : received, began);
            FOLLOWERS.spend(System.nanoTime() - began);
        }
    }

    /**
     * A log's watermark moves.
     *
     * @param offset of the first record that is not committed
     */
    public static void watermarkMoves(TopicPartition partition, long offset) {
        PartitionMarks awaited = awaited(partition);
        if (awaited != null) {
            long began = System.nanoTime();
            awaited.committed(offset, began);
            WATERMARKS.spend(System.nanoTime() - began);
        }
    }

    /** This broker does not lead the partition any longer. */
    public static void leadsNoMore(TopicPartition partition) {
        drop(partition, "leader_change");
    }

    /** The partition is deleted here. */
    public static void deletes(TopicPartition partition) {
        drop(partition, "deletion");
    }

    /** The log loses its end. */
    public static void truncates(TopicPartition partition) {
        drop(partition, "truncation");
    }

    private static void drop(TopicPartition partition, String reason) {
        PartitionMarks awaited = awaited(partition);
        if (awaited != null) {
            awaited.drop(reason, System.nanoTime());
        }
    }

    private static PartitionMarks awaited(TopicPartition partition) {
        Marks current = marks;
        return current == null ? null : current.awaited(partition);
    }
}
