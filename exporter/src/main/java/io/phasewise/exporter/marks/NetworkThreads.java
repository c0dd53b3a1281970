/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.BusyMark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The network threads of this broker, and when they were busy. Thread-safe. */
final class NetworkThreads {

    /** Busy times that a page reports; the longest. */
    static final int MOST_REPORTED = 512;

    private final List<Watched> threads = new CopyOnWriteArrayList<>();
    private volatile long since;
    private volatile boolean hasSelection;
    private volatile boolean hasRequest;

    private static final class Watched {
        private final NetworkThread thread;

        /** Used only by drain(): whether a pass before the next one is missing. */
        private boolean cut;

        Watched(NetworkThread thread) {
            this.thread = thread;
        }
    }

    /** Nobody has watched until now. */
    void resume(long now) {
        since = now;
    }

    /** A network thread has called, after its select(). */
    void sawSelection() {
        if (!hasSelection) {
            hasSelection = true;
        }
    }

    /** A network thread has called, after it put a request into the queue. */
    void sawRequest() {
        if (!hasRequest) {
            hasRequest = true;
        }
    }

    /**
     * Whether all places in Kafka's classes have called, ever. If one of them were missing, a thread that
     * waits for the request queue would look busy, or a busy one idle.
     */
    boolean isComplete() {
        return hasSelection && hasRequest;
    }

    /** A network thread begins. */
    void add(NetworkThread thread) {
        threads.add(new Watched(thread));
    }

    /**
     * Takes out the busy times since the last time, in the order of their ends. What is left out, the next
     * one of the same thread says. One thread at a time.
     */
    List<BusyMark> drain(long now) {
        Map<Watched, List<BusyMark>> byThread = new LinkedHashMap<>();
        for (Watched each : threads) {
            boolean ended = !each.thread.isAlive();
            List<BusyMark> its = new ArrayList<>();
            each.cut |= each.thread.drain(now, since, its) > 0;
            byThread.put(each, its);
            if (ended) {
                threads.remove(each);
            }
        }
        Set<BusyMark> leftOut = shortest(byThread.values());
        List<BusyMark> reported = new ArrayList<>();
        byThread.forEach((thread, its) -> its.forEach(mark -> {
            boolean isLeftOut = leftOut.contains(mark);
            if (!isLeftOut) {
                reported.add(thread.cut ? mark.afterMissing() : mark);
            }
            thread.cut = isLeftOut;
        }));
        reported.sort(
                Comparator.<BusyMark>comparingLong(each -> now - each.ended).reversed());
        return reported;
    }

    /** Those for which a page has no room. */
    private static Set<BusyMark> shortest(Collection<List<BusyMark>> byThread) {
        List<BusyMark> all = new ArrayList<>();
        byThread.forEach(all::addAll);
        all.sort(Comparator.<BusyMark>comparingLong(each -> each.ended - each.began)
                .reversed());
        Set<BusyMark> shortest = Collections.newSetFromMap(new IdentityHashMap<>());
        shortest.addAll(all.subList(Math.min(MOST_REPORTED, all.size()), all.size()));
        return shortest;
    }
}
