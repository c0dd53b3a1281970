/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.marks.MarkPage;

/**
 * What a follower did with some answers of a leader, the last of which brought a record: durations of the follower's
 * clock. A copy, for one thread; used again for the next record.
 */
public final class Gaps {
    /** More answers than that are not looked at: before a record's own there are one or two in its commit. */
    static final int MOST = 8;

    private final long[] lastOffsets = new long[MOST];
    private final int[] fetchers = new int[MOST];
    private final long[] gaps = new long[MOST];
    private final long[] appends = new long[MOST];
    private final long[] pauses = new long[MOST];
    private int size;
    private boolean told;
    private boolean brought;

    /** Forgets all. */
    public void empty() {
        size = 0;
        told = false;
        brought = false;
    }

    void toldBy(boolean agent) {
        told = agent;
    }

    void broughtIt(boolean itself) {
        brought = itself;
    }

    void add(long lastOffset, int fetcher, long gap, long appended, long paused) {
        lastOffsets[size] = lastOffset;
        fetchers[size] = fetcher;
        gaps[size] = gap;
        appends[size] = appended;
        pauses[size] = paused;
        size++;
    }

    /** Whether the follower's agent tells such things at all. */
    public boolean isTold() {
        return told;
    }

    /** Whether the last one is of the answer that brought the record. */
    public boolean broughtIt() {
        return brought;
    }

    int size() {
        return size;
    }

    /** The last record of that partition in the answer. */
    long lastOffset(int index) {
        return lastOffsets[index];
    }

    /** The thread that asked; {@link MarkPage#UNKNOWN_ID} where there is none. */
    int fetcher() {
        return size == 0 ? MarkPage.UNKNOWN_ID : fetchers[size - 1];
    }

    /** From the receipt of the answer to the sending of the next fetch. */
    long gap(int index) {
        return gaps[index];
    }

    /** Of that, in appends. */
    long appends(int index) {
        return appends[index];
    }

    /** Of that, in which the JVM did not run. */
    long pauses(int index) {
        return pauses[index];
    }
}
