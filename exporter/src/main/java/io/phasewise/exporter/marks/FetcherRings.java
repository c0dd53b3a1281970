/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.FetcherMark;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The last fetches of each follower's fetcher that a mark may have waited for: a ring for each
 * connection. Written by the connection's network thread, which neither locks nor allocates, once the
 * connection is known; taken out by one thread.
 */
final class FetcherRings {

    /**
     * Fetches of a connection that are kept until they are taken out, once a second. A probe waits for
     * two, and the canary's default is 20 probes a second.
     */
    static final int KEPT = 64;

    /** Fetches that a page tells. */
    static final int MOST_TOLD = 256;

    /** Connections that have a ring: 100 brokers with ten fetchers each. Some 3 kB each. */
    static final int MOST_CONNECTIONS = 1_024;

    private static final long FORGOTTEN_AFTER_NANOS = TimeUnit.MINUTES.toNanos(5);
    private static final Pattern CLIENT = Pattern.compile("broker-(\\d{1,9})-fetcher-(\\d{1,9})");

    private static final int PROCESSOR = 0;
    private static final int RECEIVED = 1;
    private static final int DEQUEUED = 2;
    private static final int COMPLETED = 3;
    private static final int ANSWERED = 4;
    private static final int SENT = 5;
    private static final int COLUMNS = 6;

    private final AwaitedFollowers awaited;

    /** By connection; a client that is no fetcher has one without a ring. */
    private final Map<String, Fetcher> fetchers = new ConcurrentHashMap<>();

    private static final class Fetcher {
        private final Integer follower;
        private final int number;

        /** Null where the client is no fetcher. */
        private final InstantRing ring;

        private final AtomicLong lastUsed = new AtomicLong();

        Fetcher(String clientId) {
            Matcher matcher = CLIENT.matcher(clientId == null ? "" : clientId);
            boolean isFetcher = matcher.matches();
            follower = isFetcher ? Integer.valueOf(matcher.group(1)) : null;
            number = isFetcher ? Integer.parseInt(matcher.group(2)) : 0;
            ring = isFetcher ? new InstantRing(KEPT, COLUMNS) : null;
        }

        private FetcherMark mark(long[] row) {
            return new FetcherMark(
                    follower,
                    number,
                    (int) row[PROCESSOR],
                    row[RECEIVED],
                    row[DEQUEUED],
                    row[COMPLETED],
                    row[ANSWERED],
                    row[SENT]);
        }
    }

    /**
     * @param awaited tells which fetches matter
     */
    FetcherRings(AwaitedFollowers awaited) {
        this.awaited = awaited;
    }

    /** A follower's fetch has been answered. */
    void answered(
            String clientId,
            String connection,
            int processor,
            long received,
            long dequeued,
            long completed,
            long answered,
            long sent) {
        Fetcher fetcher = fetchers.get(connection);
        if (fetcher == null) {
            if (fetchers.size() >= MOST_CONNECTIONS) {
                return;
            }
            fetcher = new Fetcher(clientId);
            fetchers.put(connection, fetcher);
        }
        fetcher.lastUsed.lazySet(sent);
        if (fetcher.ring != null && awaited.isAwaitedSince(fetcher.follower, received)) {
            InstantRing ring = fetcher.ring;
            ring.begin();
            ring.set(PROCESSOR, processor);
            ring.set(RECEIVED, received);
            ring.set(DEQUEUED, dequeued);
            ring.set(COMPLETED, completed);
            ring.set(ANSWERED, answered);
            ring.set(SENT, sent);
            ring.end();
        }
    }

    /**
     * Takes out the fetches since the last time, and forgets connections that are not used.
     *
     * @param told gets the newest, in the order in which their answers were sent
     * @return how many were left out
     */
    long drain(long now, List<FetcherMark> told) {
        List<FetcherMark> all = new ArrayList<>();
        long missed = 0;
        for (Fetcher fetcher : fetchers.values()) {
            if (fetcher.ring != null) {
                missed += fetcher.ring.drain(row -> all.add(fetcher.mark(row)));
            }
        }
        fetchers.values().removeIf(each -> now - each.lastUsed.get() > FORGOTTEN_AFTER_NANOS);
        // Not by difference to each other, which need not be an order: all are before now.
        all.sort(Comparator.<FetcherMark>comparingLong(mark -> now - mark.sent).reversed());
        int cut = Math.max(0, all.size() - MOST_TOLD);
        told.addAll(all.subList(cut, all.size()));
        return missed + cut;
    }
}
