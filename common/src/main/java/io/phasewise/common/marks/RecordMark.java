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
 * The passage of one batch of records through its leader, which all records of the batch share.
 * Instants are nanoseconds of that broker's monotonic clock, whose origin changes with each of its
 * starts.
 */
public final class RecordMark extends Mark {

    static final String KIND = "record";

    /** As Kafka prints it. */
    public final String topicId;

    public final int partition;
    public final int leaderEpoch;
    public final long firstOffset;

    /** The last one of the batch. */
    public final long lastOffset;

    /** When the produce request had been read; {@link MarkPage#UNKNOWN} where that is not known. */
    public final long received;

    /** When the log began to append it. */
    public final long appendBegan;

    /** When the append had returned: lock, validation, write, roll and flush. */
    public final long appended;

    /** When the high watermark passed the batch; never before {@link #appended}. */
    public final long committed;

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

    /** See the fields; nothing is known of when the partition learned. */
    public RecordMark(
            String topicId,
            int partition,
            int leaderEpoch,
            long firstOffset,
            long lastOffset,
            long received,
            long appendBegan,
            long appended,
            long committed,
            Map<Integer, Long> arrivals) {
        this(
                topicId,
                partition,
                leaderEpoch,
                firstOffset,
                lastOffset,
                received,
                appendBegan,
                appended,
                committed,
                arrivals,
                Map.of());
    }

    /** See the fields. */
    public RecordMark(
            String topicId,
            int partition,
            int leaderEpoch,
            long firstOffset,
            long lastOffset,
            long received,
            long appendBegan,
            long appended,
            long committed,
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
        this.committed = committed;
        this.arrivals = Collections.unmodifiableSortedMap(new TreeMap<>(arrivals));
        this.learned = Collections.unmodifiableSortedMap(new TreeMap<>(learned));
    }

    static RecordMark parse(KeyValueLine line) {
        return new RecordMark(
                line.text("topic_id"),
                line.id("partition"),
                line.id("leader_epoch"),
                line.number("first_offset"),
                line.number("last_offset"),
                line.instant("received"),
                line.number("append_began"),
                line.number("appended"),
                line.number("committed"),
                line.instants("arrivals", 1),
                line.instants("arrivals", 2));
    }

    @Override
    KeyValueLine line(int form) {
        return new KeyValueLine(KIND)
                .with("topic_id", topicId)
                .with("partition", partition)
                .with("leader_epoch", leaderEpoch)
                .with("first_offset", firstOffset)
                .with("last_offset", lastOffset)
                .withInstant("received", received)
                .with("append_began", appendBegan)
                .with("appended", appended)
                .with("committed", committed)
                .withInstants("arrivals", arrivals, form == MarkPage.FIRST_FORM ? Map.of() : learned);
    }

    @Override
    void addTo(MarkPage page) {
        page.records.add(this);
    }

    @Override
    boolean isInFirstForm() {
        return true;
    }
}
