/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.GapMark;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * What fetcher threads of this broker did with answers that brought no records of the canary's topic, where that took
 * over a millisecond: a ring for each thread. Written by that thread, which neither locks nor allocates here once it has
 * a ring. (Before it adds a gap it asks {@link Pauses}, which does lock, for a moment.) Taken out by one thread.
 */
final class FollowerGaps {

    /** Shorter gaps are not kept. */
    static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Gaps of a thread that are kept until they are taken out, once a second. */
    static final int KEPT = 128;

    /** Gaps that a page reports; the longest, and of each thread the last one where others are left out after it. */
    static final int MOST_REPORTED = 256;

    /** Threads that have a ring: only those that fetch partitions of the canary's topic. Some 5 kB each. */
    static final int MOST_THREADS = 512;

    private static final int REQUEST = 0;
    private static final int GAP = 1;
    private static final int APPENDS = 2;
    private static final int PAUSES = 3;
    /** 1 where gaps before it were not kept. */
    private static final int CUT = 4;

    private static final int COLUMNS = 5;

    private final List<Fetcher> fetchers = new CopyOnWriteArrayList<>();

    /** The gaps of one fetcher thread. */
    static final class Fetcher {
        private final int leader;
        private final int number;
        private final Thread thread;
        private final InstantRing ring = new InstantRing(KEPT, COLUMNS);

        /** Used only by drain(): gaps before the next one are missing. */
        private boolean cut;

        private Fetcher(int leader, int number, Thread thread) {
            this.leader = leader;
            this.number = number;
            this.thread = thread;
        }

        /**
         * A gap of the thread is over.
         *
         * @param isCut whether gaps before it were not kept
         */
        void add(long request, long gap, long appends, long pauses, boolean isCut) {
            ring.begin();
            ring.set(REQUEST, request);
            ring.set(GAP, gap);
            ring.set(APPENDS, appends);
            ring.set(PAUSES, pauses);
            ring.set(CUT, isCut ? 1 : 0);
            ring.end();
        }
    }

    /**
     * This thread begins to fetch.
     *
     * @return null where there are too many
     */
    Fetcher begin(int leader, int number) {
        if (fetchers.size() >= MOST_THREADS) {
            return null;
        }
        Fetcher fetcher = new Fetcher(leader, number, Thread.currentThread());
        fetchers.add(fetcher);
        return fetcher;
    }

    /** Takes out the gaps since the last time, those of a thread in their order. One thread at a time. */
    List<GapMark> drain() {
        Map<Fetcher, List<long[]>> byThread = new LinkedHashMap<>();
        for (Fetcher each : fetchers) {
            boolean ended = !each.thread.isAlive();
            List<long[]> its = new ArrayList<>();
            each.cut |= each.ring.drain(its::add) > 0;
            byThread.put(each, its);
            if (ended) {
                fetchers.remove(each);
            }
        }
        Set<long[]> leftOut = shortest(byThread.values());
        // Where gaps are missing the next one of the thread says; a page leaves nothing to a later one.
        byThread.values().stream()
                .filter(its -> !its.isEmpty())
                .forEach(its -> leftOut.remove(its.get(its.size() - 1)));
        List<GapMark> reported = new ArrayList<>();
        byThread.forEach((fetcher, its) -> its.forEach(row -> {
            boolean isLeftOut = leftOut.contains(row);
            fetcher.cut |= row[CUT] != 0;
            if (!isLeftOut) {
                reported.add(new GapMark(
                        fetcher.leader,
                        fetcher.number,
                        row[REQUEST],
                        row[GAP],
                        row[APPENDS],
                        row[PAUSES],
                        fetcher.cut));
            }
            fetcher.cut = isLeftOut;
        }));
        return reported;
    }

    /** Those for which a page has no room. */
    private static Set<long[]> shortest(Iterable<List<long[]>> byThread) {
        List<long[]> all = new ArrayList<>();
        byThread.forEach(all::addAll);
        all.sort(Comparator.<long[]>comparingLong(row -> row[GAP]).reversed());
        Set<long[]> shortest = Collections.newSetFromMap(new IdentityHashMap<>());
        shortest.addAll(all.subList(Math.min(MOST_REPORTED, all.size()), all.size()));
        return shortest;
    }
}
