/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a leader knows of one batch of records up to its commit; all records of the batch share it.
 * Instants are nanoseconds of that broker's monotonic clock, whose origin changes with each of its
 * starts. Whether it is committed is left to {@link RecordMark} and {@link PendingMark}.
 */
public abstract class BatchMark extends Mark {

    /** As Kafka prints it. */
    public final String topicId;

    public final int partition;
    public final int leaderEpoch;

    /** Of the batch; while it is being appended, the end of the log as the append began. */
    public final long firstOffset;

    /** The last one of the batch; {@link MarkPage#UNKNOWN} while it is being appended. */
    public final long lastOffset;

    /** When the produce request had been read; {@link MarkPage#UNKNOWN} where that is not known. */
    public final long received;

    /** When the log began to append it. */
    public final long appendBegan;

    /**
     * When the append had returned: lock, validation, write, roll and flush; {@link MarkPage#UNKNOWN}
     * while it is being appended.
     */
    public final long appended;

    /**
     * By follower: when the leader had received the fetch by which the follower says that it has
     * the batch; never before {@link #appended}. Followers that had not said so are missing.
     */
    public final SortedMap<Integer, Long> arrivals;

    /**
     * By follower: when the partition learned of that fetch, in a request handler; never before the
     * arrival. Empty in a page of the first form.
     */
    public final SortedMap<Integer, Long> learned;

    /** See the fields. */
    BatchMark(
            String topicId,
            int partition,
            int leaderEpoch,
            long firstOffset,
            long lastOffset,
            long received,
            long appendBegan,
            long appended,
            Map<Integer, Long> arrivals,
            Map<Integer, Long> learned) {
        this.topicId = topicId;
        this.partition = partition;
        this.leaderEpoch = leaderEpoch;
        this.firstOffset = firstOffset;
        this.lastOffset = lastOffset;
        this.received = received;
        this.appendBegan = appendBegan;
        this.appended = appended;
        this.arrivals = Collections.unmodifiableSortedMap(new TreeMap<>(arrivals));
        this.learned = Collections.unmodifiableSortedMap(new TreeMap<>(learned));
    }

    /**
     * @throws IllegalArgumentException when a value is not there that all such lines have, or is none
     */
    BatchMark(KeyValueLine line) {
        this(
                line.text("topic_id"),
                line.id("partition"),
                line.id("leader_epoch"),
                line.number("first_offset"),
                line.instant("last_offset"),
                line.instant("received"),
                line.number("append_began"),
                line.instant("appended"),
                line.instants("arrivals", 1),
                line.instants("arrivals", 2));
    }

    /** What comes before the commit in a line. */
    KeyValueLine untilAppended(String kind) {
        return new KeyValueLine(kind)
                .with("topic_id", topicId)
                .with("partition", partition)
                .with("leader_epoch", leaderEpoch)
                .with("first_offset", firstOffset)
                .withInstant("last_offset", lastOffset)
                .withInstant("received", received)
                .with("append_began", appendBegan)
                .withInstant("appended", appended);
    }
}
