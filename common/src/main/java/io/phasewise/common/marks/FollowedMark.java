/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

/**
 * What a follower did with one answer of a leader that brought records of the canary's topic, in
 * durations of the follower's clock. The leader's marks of the same records are found by topic id,
 * partition, epoch and offset: for that no clocks are compared. When in the gap its JVM was paused is
 * another mark, {@link PauseMark}: who reads that must know how far the two clocks are apart.
 */
public final class FollowedMark extends Mark {

    static final String KIND = "followed";

    /** Id of the broker that answered. */
    public final int leader;

    /** Number of the fetcher thread. */
    public final int fetcher;

    /**
     * Number of the fetch that ended the gap: fetches of a thread are numbered as they are sent, later threads of the same
     * number go on above. So the fetch before it, which the leader reports by its instants, has the number before.
     * {@link MarkPage#UNKNOWN} where the agent does not number fetches: one of the release before.
     */
    public final long request;

    /** As Kafka prints it. */
    public final String topicId;

    public final int partition;

    /** Leader epoch of the partition on the follower when it appended; never below that of the batch. */
    public final int leaderEpoch;

    /** The last one of this partition that was appended. */
    public final long lastOffset;

    /** Nanoseconds from the receipt of the answer to the sending of the next fetch. */
    public final long gap;

    /** Nanoseconds of it in which the thread appended, to whichever partitions. */
    public final long appends;

    /** Nanoseconds of it in which the follower's JVM did not run. */
    public final long pauses;

    /** See the fields. */
    public FollowedMark(
            int leader,
            int fetcher,
            long request,
            String topicId,
            int partition,
            int leaderEpoch,
            long lastOffset,
            long gap,
            long appends,
            long pauses) {
        this.leader = leader;
        this.fetcher = fetcher;
        this.request = request;
        this.topicId = topicId;
        this.partition = partition;
        this.leaderEpoch = leaderEpoch;
        this.lastOffset = lastOffset;
        this.gap = gap;
        this.appends = appends;
        this.pauses = pauses;
    }

    static FollowedMark parse(KeyValueLine line) {
        return new FollowedMark(
                line.id("leader"),
                line.id("fetcher"),
                line.instant("request"),
                line.text("topic_id"),
                line.id("partition"),
                line.id("leader_epoch"),
                line.number("last_offset"),
                line.number("gap"),
                line.number("appends"),
                line.number("pauses"));
    }

    @Override
    KeyValueLine line(int form) {
        return new KeyValueLine(KIND)
                .with("leader", leader)
                .with("fetcher", fetcher)
                .withInstant("request", request)
                .with("topic_id", topicId)
                .with("partition", partition)
                .with("leader_epoch", leaderEpoch)
                .with("last_offset", lastOffset)
                .with("gap", gap)
                .with("appends", appends)
                .with("pauses", pauses);
    }

    @Override
    void addTo(MarkPage page) {
        page.followed.add(this);
    }
}
