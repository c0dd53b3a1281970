/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

/**
 * What a follower did with one answer of a leader that brought no records of the canary's topic, where that took over a
 * millisecond: a record of the canary may have waited for it. In durations of the follower's clock. Which answer that
 * was follows from the number of the next request: see {@link FollowedMark#request}.
 */
public final class GapMark extends Mark {

    static final String KIND = "gap";

    /** Id of the broker that answered. */
    public final int leader;

    /** Number of the fetcher thread. */
    public final int fetcher;

    /** As in {@link FollowedMark}. */
    public final long request;

    /** Nanoseconds from the receipt of the answer to the sending of the next fetch. */
    public final long gap;

    /** Nanoseconds of it in which the thread appended. */
    public final long appends;

    /** Nanoseconds of it in which the follower's JVM did not run. */
    public final long pauses;

    /** Whether such gaps of this thread between the reported one before it and this one may be missing. */
    public final boolean cut;

    /** See the fields. */
    public GapMark(int leader, int fetcher, long request, long gap, long appends, long pauses, boolean cut) {
        this.leader = leader;
        this.fetcher = fetcher;
        this.request = request;
        this.gap = gap;
        this.appends = appends;
        this.pauses = pauses;
        this.cut = cut;
    }

    static GapMark parse(KeyValueLine line) {
        return new GapMark(
                line.id("leader"),
                line.id("fetcher"),
                line.number("request"),
                line.number("gap"),
                line.number("appends"),
                line.number("pauses"),
                line.flag("cut"));
    }

    @Override
    KeyValueLine line(int form) {
        return new KeyValueLine(KIND)
                .with("leader", leader)
                .with("fetcher", fetcher)
                .with("request", request)
                .with("gap", gap)
                .with("appends", appends)
                .with("pauses", pauses)
                .withFlag("cut", cut);
    }

    @Override
    void addTo(MarkPage page) {
        page.gaps.add(this);
    }
}
