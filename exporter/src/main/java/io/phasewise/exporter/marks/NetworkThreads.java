/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.BusyMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The network threads of this broker, and when they were busy. Thread-safe. */
final class NetworkThreads {

    /** Busy times that a page tells; the longest. */
    static final int MOST_TOLD = 512;

    private final List<NetworkThread> threads = new CopyOnWriteArrayList<>();
    private volatile long since;

    /** Nobody has watched until now. */
    void resume(long now) {
        since = now;
    }

    /** A network thread begins. */
    void add(NetworkThread thread) {
        threads.add(thread);
    }

    /**
     * Takes out the busy times since the last time, in the order of their ends. One thread at a time.
     */
    List<BusyMark> drain(long now) {
        List<BusyMark> all = new ArrayList<>();
        for (NetworkThread thread : threads) {
            boolean ended = !thread.isAlive();
            thread.drain(now, since, all);
            if (ended) {
                threads.remove(thread);
            }
        }
        if (all.size() > MOST_TOLD) {
            all.sort(Comparator.<BusyMark>comparingLong(each -> each.ended - each.began)
                    .reversed());
            all.subList(MOST_TOLD, all.size()).clear();
        }
        all.sort(Comparator.<BusyMark>comparingLong(each -> now - each.ended).reversed());
        return all;
    }
}
