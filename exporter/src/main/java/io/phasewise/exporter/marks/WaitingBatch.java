/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A batch of records between its append and its commit. {@link PartitionMarks} alone changes it, under
 * its lock; what is known of it can be read by any thread without that lock. Instants are nanoseconds
 * of one clock.
 */
final class WaitingBatch {

    private static final long[] NONE = {};

    /** Of each arrival: the follower, when it was, when the partition learned of it. */
    private static final int COLUMNS = 3;

    final String topicId;
    final int partition;
    final int leaderEpoch;
    final long first;
    final long last;
    final long received;
    final long appendBegan;
    final long appended;

    /** Until when its wait has been charged; under the partition's lock. */
    long chargedUntil;

    /** Nobody writes to it any more; one more arrival is in a new one. */
    private volatile long[] arrivals = NONE;

    WaitingBatch(
            String topicId,
            int partition,
            int leaderEpoch,
            long first,
            long last,
            long received,
            long appendBegan,
            long appended) {
        this.topicId = topicId;
        this.partition = partition;
        this.leaderEpoch = leaderEpoch;
        this.first = first;
        this.last = last;
        this.received = received;
        this.appendBegan = appendBegan;
        this.appended = appended;
        this.chargedUntil = appended;
    }

    /** A follower has it; once more where it had cut off its log. */
    void arrived(int follower, long at, long learned) {
        long[] before = arrivals;
        int row = 0;
        while (row < before.length && before[row] != follower) {
            row += COLUMNS;
        }
        long[] now = new long[Math.max(before.length, row + COLUMNS)];
        System.arraycopy(before, 0, now, 0, before.length);
        now[row] = follower;
        now[row + 1] = at;
        now[row + 2] = learned;
        arrivals = now;
    }

    /** What is known of it so far. */
    PendingMark pending() {
        long[] known = arrivals;
        return new PendingMark(
                topicId,
                partition,
                leaderEpoch,
                first,
                last,
                received,
                appendBegan,
                appended,
                byFollower(known, 1),
                byFollower(known, 2));
    }

    /** What is known of it once it is committed. */
    RecordMark committed(long at) {
        long[] known = arrivals;
        return new RecordMark(
                topicId,
                partition,
                leaderEpoch,
                first,
                last,
                received,
                appendBegan,
                appended,
                at,
                byFollower(known, 1),
                byFollower(known, 2));
    }

    private static SortedMap<Integer, Long> byFollower(long[] rows, int column) {
        SortedMap<Integer, Long> instants = new TreeMap<>();
        for (int row = 0; row < rows.length; row += COLUMNS) {
            instants.put((int) rows[row], rows[row + column]);
        }
        return instants;
    }
}
