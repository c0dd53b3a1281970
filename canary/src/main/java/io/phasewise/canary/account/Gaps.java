/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.marks.MarkPage;
import java.util.Arrays;

/**
 * What a follower did with the answer of a leader that brought a record, and with some before it: durations of the follower's
 * clock, and when its JVM was paused. A copy, for one thread; used again for the next record.
 */
public final class Gaps {
    /** More answers than that are not looked at: before a record's own there are one or two in its commit. */
    static final int MOST = 16;

    /** Pauses of one commit; room is taken as it is needed. */
    private static final int MOST_PAUSES = 8 * MOST;

    /** No gap is known of a fetch. */
    static final int UNKNOWN = -1;

    /** A fetch's gap took less than a millisecond. */
    static final int SHORT = -2;

    private final long[] requests = new long[MOST];
    private final long[] gaps = new long[MOST];
    private final long[] appends = new long[MOST];
    private final long[] pauses = new long[MOST];
    private int size;
    private int fetcher;

    /** Gaps of this fetch and of later ones are reported, if they take over a millisecond. */
    private long reportedFrom;

    /** On the leader's clock, as far as the canary can tell. */
    private long[] pausesBegan = new long[MOST];

    private long[] pausesEnded = new long[MOST];
    private int pauseCount;
    private boolean clockKnown;
    private boolean brought;

    /** Forgets all. */
    public void empty() {
        size = 0;
        pauseCount = 0;
        clockKnown = false;
        brought = false;
    }

    /** Says that its clock is known, so that all of its pauses within the commit are added. */
    public void clockKnown() {
        clockKnown = true;
    }

    boolean isClockKnown() {
        return clockKnown;
    }

    /**
     * The answer that brought the record.
     *
     * @param thread that asked
     * @param request number of the fetch that came next
     */
    void own(int thread, long request, long gap, long appended, long paused) {
        fetcher = thread;
        brought = true;
        reportedFrom = request;
        add(request, gap, appended, paused);
    }

    /** Whether the answer that brought the record is told. */
    boolean isTold() {
        return brought;
    }

    /** An earlier one of the same thread. */
    void add(long request, long gap, long appended, long paused) {
        if (size < MOST) {
            requests[size] = request;
            gaps[size] = gap;
            appends[size] = appended;
            pauses[size] = paused;
            size++;
        }
    }

    /** Says that none is missing since a fetch. */
    void reportedFrom(long request) {
        reportedFrom = request;
    }

    void addPause(long began, long ended) {
        if (pauseCount == MOST_PAUSES) {
            return;
        }
        if (pauseCount == pausesBegan.length) {
            pausesBegan = Arrays.copyOf(pausesBegan, 2 * pauseCount);
            pausesEnded = Arrays.copyOf(pausesEnded, 2 * pauseCount);
        }
        pausesBegan[pauseCount] = began;
        pausesEnded[pauseCount] = ended;
        pauseCount++;
    }

    /** How many pauses of its JVM are known, in order. */
    int pauseCount() {
        return pauseCount;
    }

    long pauseBegan(int index) {
        return pausesBegan[index];
    }

    long pauseEnded(int index) {
        return pausesEnded[index];
    }

    /** How long it was paused within a stretch of the leader's clock. */
    long pausedWithin(long from, long to) {
        long nanos = 0;
        for (int i = 0; i < pauseCount; i++) {
            long began = pausesBegan[i] - from > 0 ? pausesBegan[i] : from;
            long ended = pausesEnded[i] - to < 0 ? pausesEnded[i] : to;
            nanos += Math.max(0, ended - began);
        }
        return nanos;
    }

    /** The instant until which it was not paused for so long, from an instant on. */
    long after(long from, long nanos) {
        long end = from + nanos;
        for (int i = 0; i < pauseCount; i++) {
            if (pausesBegan[i] - end < 0 && pausesEnded[i] - from > 0) {
                end += pausesEnded[i] - (pausesBegan[i] - from > 0 ? pausesBegan[i] : from);
            }
        }
        return end;
    }

    /**
     * What was done with the answer before a fetch: an index, {@link #SHORT} or {@link #UNKNOWN}.
     *
     * @param before how many fetches of that thread lie between it and the one that acknowledged the record
     */
    int before(int before) {
        if (!brought) {
            return UNKNOWN;
        }
        long request = requests[0] - before;
        for (int i = 0; i < size; i++) {
            if (requests[i] == request) {
                return i;
            }
        }
        return request - reportedFrom >= 0 ? SHORT : UNKNOWN;
    }

    /** The thread that asked; {@link MarkPage#UNKNOWN_ID} where that is not known. */
    int fetcher() {
        return brought ? fetcher : MarkPage.UNKNOWN_ID;
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
