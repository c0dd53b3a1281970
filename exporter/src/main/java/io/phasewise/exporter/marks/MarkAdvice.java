/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.exporter.instrument.Hooks;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * What Kafka's classes call: see {@link MarkHooks} for where. Public, and static, as there is no
 * object to reach it by from there. Each hook does nothing while its part is null.
 */
public final class MarkAdvice {

    /** Takes marks; null while there are none to take. */
    static volatile Marks marks;

    /** Takes the times of appends; null while they are not recorded. */
    static volatile AppendTimes appends;

    /** Whether the receipt of requests is known. */
    static volatile boolean receipts = true;

    /** What a thread of the broker is at. */
    private static final class Work {
        private long requestReceived;

        /** The partition whose record is being appended, where that is to be a mark of these. */
        private TopicPartition marking;

        private Marks marks;

        private boolean appending;
        private String directory;
        private boolean leader;
        private long began;
    }

    private static final ThreadLocal<Work> WORK = ThreadLocal.withInitial(Work::new);

    private MarkAdvice() {}

    /** A request handler begins with a request. */
    public static void requestBegins(long received) {
        if (receipts) {
            WORK.get().requestReceived = received;
        }
    }

    /**
     * A leader is about to append.
     *
     * @param maximalIsr a set of broker ids, Scala's or Java's
     */
    public static void leaderAppends(
            TopicPartition partition, int leaderEpoch, Object maximalIsr, int leader) {
        Marks current = marks;
        if (current == null || !current.concerns(partition)) {
            return;
        }
        Work work = WORK.get();
        if (work.marking != null) {
            work.marks.notAppended();
        }
        work.marking = partition;
        work.marks = current;
        current.appending(partition, leaderEpoch, without(leader, maximalIsr), System.nanoTime());
    }

    private static int[] without(int leader, Object ids) {
        if (ids instanceof Set) {
            return ((Set<?>) ids)
                    .stream().mapToInt(id -> (Integer) id).filter(id -> id != leader).toArray();
        }
        return ScalaIds.of(ids).filter(id -> id != leader).toArray();
    }

    /** A log is about to append. */
    public static void logAppends(String directory, boolean leader) {
        if (appends == null && marks == null) {
            return;
        }
        Work work = WORK.get();
        work.appending = true;
        work.directory = directory;
        work.leader = leader;
        work.began = System.nanoTime();
    }

    /**
     * A log has appended. Never throws.
     *
     * @param lastOffset of the records
     */
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
            if (work.leader && work.marking != null) {
                TopicPartition partition = work.marking;
                work.marking = null;
                work.marks.appended(partition, lastOffset, now);
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
        Marks current = marks;
        if (current != null && current.awaits(partition)) {
            current.fetched(
                    partition,
                    follower,
                    end,
                    receipts ? WORK.get().requestReceived : System.nanoTime());
        }
    }

    /**
     * A log's watermark moves.
     *
     * @param offset of the first record that is not committed
     */
    public static void watermarkMoves(TopicPartition partition, long offset) {
        Marks current = marks;
        if (current != null && current.awaits(partition)) {
            current.committed(partition, offset, System.nanoTime());
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
        Marks current = marks;
        if (current != null && current.awaits(partition)) {
            current.drop(partition, reason);
        }
    }
}
