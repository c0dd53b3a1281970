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
 * A batch of records that is not committed yet: what is known of it so far, as in {@link
 * RecordMark}. What has not happened is {@link MarkPage#UNKNOWN}.
 */
public final class PendingMark extends Mark {

    static final String KIND = "pending";

    /** As Kafka prints it. */
    public final String topicId;

    public final int partition;
    public final int leaderEpoch;

    /** Of the batch; while it is being appended, the end of the log as the append began. */
    public final long firstOffset;

    /** {@link MarkPage#UNKNOWN} while the batch is being appended. */
    public final long lastOffset;

    /** When the produce request had been read; {@link MarkPage#UNKNOWN} where that is not known. */
    public final long received;

    /** When the append began. */
    public final long appendBegan;

    /** {@link MarkPage#UNKNOWN} while the batch is being appended. */
    public final long appended;

    /** As {@link RecordMark#arrivals}. */
    public final SortedMap<Integer, Long> arrivals;

    /** As {@link RecordMark#learned}. */
    public final SortedMap<Integer, Long> learned;

    /** See the fields. */
    public PendingMark(
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

    static PendingMark parse(KeyValueLine line) {
        return new PendingMark(
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

    @Override
    KeyValueLine line(int form) {
        return new KeyValueLine(KIND)
                .with("topic_id", topicId)
                .with("partition", partition)
                .with("leader_epoch", leaderEpoch)
                .with("first_offset", firstOffset)
                .withInstant("last_offset", lastOffset)
                .withInstant("received", received)
                .with("append_began", appendBegan)
                .withInstant("appended", appended)
                .withInstants("arrivals", arrivals, learned);
    }

    @Override
    void addTo(MarkPage page) {
        page.pending.add(this);
    }
}
