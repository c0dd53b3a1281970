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

    /** Fetches that a page reports. */
    static final int MOST_REPORTED = 256;

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
    private static final int NUMBER = 6;
    private static final int COLUMNS = 7;

    /** With what the client id of every fetcher begins; asked of each client before the pattern is. */
    private static final String FETCHERS = "broker-";

    private volatile AwaitedFollowers awaited = new AwaitedFollowers();

    /** By connection. */
    private final Map<String, Fetcher> fetchers = new ConcurrentHashMap<>();

    /** Fetches of connections that there was no room for. */
    private final AtomicLong refused = new AtomicLong();

    /** Used only by {@link #drain}: how many of them it has reported. */
    private long refusedBefore;

    private static final class Fetcher {
        private final Integer follower;
        private final int number;
        private final InstantRing ring = new InstantRing(KEPT, COLUMNS);
        private final AtomicLong lastUsed = new AtomicLong();

        /** Fetches of this connection so far; counted by its network thread. */
        private final AtomicLong fetches = new AtomicLong();

        /** Whether a later connection of the same fetcher has taken its place. */
        private volatile boolean replaced;

        /** Used only by drain(), once the connection is known: fetches before the next are missing. */
        private boolean cut;

        Fetcher(int follower, int number, boolean cut) {
            this.follower = follower;
            this.number = number;
            this.cut = cut;
        }

        private FetcherMark mark(long[] row) {
            boolean isCut = cut;
            cut = false;
            return new FetcherMark(
                    follower,
                    number,
                    (int) row[PROCESSOR],
                    row[RECEIVED],
                    row[DEQUEUED],
                    row[COMPLETED],
                    row[ANSWERED],
                    row[SENT],
                    isCut,
                    row[NUMBER]);
        }
    }

    private static final class Fetch {
        private final Fetcher fetcher;
        private final long[] row;

        Fetch(Fetcher fetcher, long[] row) {
            this.fetcher = fetcher;
            this.row = row;
        }
    }

    /**
     * From now on others matter.
     *
     * @param those knows which fetches do
     */
    void watch(AwaitedFollowers those) {
        awaited = those;
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
            fetcher = begin(clientId, connection);
            if (fetcher == null) {
                return;
            }
        }
        fetcher.lastUsed.lazySet(sent);
        long number = fetcher.fetches.get() + 1;
        fetcher.fetches.lazySet(number);
        if (awaited.isAwaitedSince(fetcher.follower, received)) {
            InstantRing ring = fetcher.ring;
            ring.begin();
            ring.set(PROCESSOR, processor);
            ring.set(RECEIVED, received);
            ring.set(DEQUEUED, dequeued);
            ring.set(COMPLETED, completed);
            ring.set(ANSWERED, answered);
            ring.set(SENT, sent);
            ring.set(NUMBER, number);
            ring.end();
        }
    }

    /** Null where the client is no fetcher, or there is no room. */
    private Fetcher begin(String clientId, String connection) {
        if (clientId == null || !clientId.startsWith(FETCHERS)) {
            return null;
        }
        if (fetchers.size() >= MOST_CONNECTIONS) {
            refused.incrementAndGet();
            return null;
        }
        Matcher matcher = CLIENT.matcher(clientId);
        if (!matcher.matches()) {
            return null;
        }
        int follower = Integer.parseInt(matcher.group(1));
        int number = Integer.parseInt(matcher.group(2));
        boolean isCut = refused.get() > 0;
        for (Map.Entry<String, Fetcher> each : fetchers.entrySet()) {
            Fetcher before = each.getValue();
            if (before.follower == follower && before.number == number) {
                // One that was replaced is there for a page that nobody asks for.
                isCut |= before.replaced && fetchers.remove(each.getKey(), before);
                before.replaced = true;
            }
        }
        Fetcher fetcher = new Fetcher(follower, number, isCut);
        fetchers.put(connection, fetcher);
        return fetcher;
    }

    /**
     * Takes out the fetches since the last time, and forgets connections that are not used.
     *
     * @param reported gets the newest, in the order in which their answers were sent
     * @return how many were left out; where, the next one of the same connection says
     */
    long drain(long now, List<FetcherMark> reported) {
        List<Fetch> all = new ArrayList<>();
        long refusedUntil = refused.get();
        long missed = refusedUntil - refusedBefore;
        refusedBefore = refusedUntil;
        for (Map.Entry<String, Fetcher> each : fetchers.entrySet()) {
            Fetcher fetcher = each.getValue();
            boolean isOver = fetcher.replaced;
            long overwritten = fetcher.ring.drain(row -> all.add(new Fetch(fetcher, row)));
            fetcher.cut |= overwritten > 0;
            missed += overwritten;
            if (isOver || now - fetcher.lastUsed.get() > FORGOTTEN_AFTER_NANOS) {
                fetchers.remove(each.getKey(), fetcher);
            }
        }
        // nanoTime may overflow, so compare ages, not instants.
        all.sort(Comparator.<Fetch>comparingLong(fetch -> now - fetch.row[SENT]).reversed());
        int leftOut = Math.max(0, all.size() - MOST_REPORTED);
        all.subList(0, leftOut).forEach(fetch -> fetch.fetcher.cut = true);
        all.subList(leftOut, all.size()).forEach(fetch -> reported.add(fetch.fetcher.mark(fetch.row)));
        return missed + leftOut;
    }
}
