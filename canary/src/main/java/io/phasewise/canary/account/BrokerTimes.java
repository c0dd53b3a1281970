/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.account;

import io.phasewise.common.marks.BatchMark;
import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.FetcherMark;
import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.GapMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PauseMark;
import io.phasewise.common.marks.PendingMark;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What one broker has reported since it started, on its own clock: records of the canary's topic, the canary's own
 * requests, fetches of followers, pauses, busy network threads, and what it did as a follower. Of each kind the newest rows are kept.
 * Those that are more than {@value #KEPT_SECONDS} s older than the newest of their kind go with the next page: a probe that is not lost is
 * younger. For one thread at a time.
 */
public final class BrokerTimes {
    /**
     * Records that are kept, and as many requests; the oldest give way. 200 probes a second, ten times
     * the default, fill this in more than a minute. A trip waits for its mark for some seconds only.
     */
    private static final int MOST_RECORDS = 16_384;

    /**
     * Records of a mark that are taken in after its first one: what a broker answers must not cost any
     * amount of memory. Probes further back in a batch are estimated.
     */
    private static final int LONGEST_BATCH = 10_000;

    static final int KEPT_SECONDS = 75;
    private static final long KEPT = TimeUnit.SECONDS.toNanos(KEPT_SECONDS);

    /**
     * Rows of each kind and thread, connection, partition or consumer. With the limit below some 10 MB at most, and 60 kB
     * for each consumer.
     */
    private static final int MOST_ROWS = 1_024;

    private static final int MOST_PLACES = 64;

    /** Rows of what a follower did with answers, for each partition and leader. */
    private static final int MOST_FOLLOWED = MOST_ROWS / 2;

    /**
     * Fetcher threads whose gaps are kept, and rows of each. Only threads that brought records of the canary count: twelve
     * profiles, a partition on each broker and three replicas make 24 at most on a broker. With six columns they take 0.8 MB,
     * and what was followed takes 1.8 MB with seven: 2.6 MB for each broker, were all of it full.
     */
    private static final int MOST_THREADS = 40;

    private static final int MOST_GAPS = 400;

    /** Appends after that of a record that are looked at. */
    private static final int MOST_APPENDS = 64;

    /** How long a follower that reported a record of a partition is taken to be one of its in-sync replicas. */
    private static final long REPLICA_FOR = TimeUnit.SECONDS.toNanos(120);

    private final OwnClients own;
    private final Map<Key, PagedMark> records = oldestGiveWay(MOST_RECORDS);
    private final Map<Long, RequestMark> produces = oldestGiveWay(MOST_RECORDS);
    private final Rows pauses = new Rows(Pause.COLUMNS, MOST_ROWS);
    private final Map<Integer, Rows> busy = oldestGiveWay(MOST_PLACES);
    private final Map<Long, Rows> fetchers = oldestGiveWay(MOST_PLACES);

    /** By client id: no more than this canary has consumers. */
    private final Map<String, Rows> consumers = new HashMap<>();

    private final Map<Key, Rows> followed = oldestGiveWay(MOST_PLACES);

    /** By leader and fetcher thread. */
    private final Map<Long, Rows> gaps = oldestGiveWay(MOST_THREADS);

    /** By partition and follower, in the offset's place: when it last had a record. */
    private final Map<Key, Long> replicas = oldestGiveWay(MOST_PLACES * 8);

    /** By partition: of its reported records the one that was committed last. */
    private final Map<Key, RecordMark> lastCommitted = oldestGiveWay(MOST_PLACES);

    /** By partition: what was not committed when the last page was made, in the order of its receipt. */
    private final Map<Key, List<PendingMark>> pending = new HashMap<>();

    /** The instants that the age of records and of requests is counted from. */
    private long newestAppended;

    private long newestReceived;
    private long made = MarkPage.UNKNOWN;

    /** Whether the rest of a full page is outstanding, and since which page. */
    private boolean unfinished;

    private long unfinishedSince;

    private int form = MarkPage.FIRST_FORM;
    private long pages;

    /** Whether its agent reports when network threads are busy. */
    private boolean busyKnown;

    /** Columns of a pause. */
    static final class Pause {
        static final int ENDED = 0;
        static final int BEGAN = 1;
        private static final int COLUMNS = 2;
    }

    /** Columns of a busy pass of a network thread. */
    static final class Busy {
        static final int ENDED = 0;
        static final int BEGAN = 1;
        static final int QUEUE_FULL = 2;
        private static final int COLUMNS = 3;
    }

    /** Columns of a fetch, be it of a follower or of a consumer. */
    static final class Fetch {
        static final int RECEIVED = 0;
        static final int DEQUEUED = 1;
        static final int COMPLETED = 2;
        static final int ANSWERED = 3;
        static final int SENT = 4;
        static final int PROCESSOR = 5;
        /** 1 where fetches before it may be missing. */
        static final int FIRST_OF_CUT = 6;

        /** Of a follower's: its number on the connection; the least number where that is not known. */
        static final int NUMBER = 7;

        private static final int COLUMNS = 8;
    }

    /** Columns of what a follower did with an answer. */
    static final class Followed {
        static final int LAST_OFFSET = 0;
        /** Of two numbers of 32 bits: the epoch, and the number of the fetcher thread. */
        static final int EPOCH_AND_FETCHER = 1;

        static final int REQUEST = 2;
        static final int NANOS = 3;
        static final int APPENDS = 4;
        static final int PAUSES = 5;
        /** When the page was made that reported it. */
        static final int REPORTED = 6;

        private static final int COLUMNS = 7;
    }

    /** Columns of what a fetcher thread did between an answer and its next fetch. */
    static final class Gap {
        static final int REQUEST = 0;
        static final int NANOS = 1;
        static final int APPENDS = 2;
        static final int PAUSES = 3;
        /** Of what kind its mark is. */
        static final int KIND = 4;
        /** When the page was made that reported it. */
        static final int REPORTED = 5;

        private static final int COLUMNS = 6;

        /** The answer brought records of the canary. */
        private static final int FOLLOWED = 0;

        /** It brought none. */
        private static final int OTHER = 1;

        /** Others of the kind before are missing between the last one and this one. */
        private static final int CUT = 2;
    }

    /** Identifies a record; another topic of the same name has another id. */
    private record Key(String topicId, int partition, long offset) {}

    /** A mark, and in which page it came. */
    private record PagedMark(RecordMark mark, long page) {}

    private static <K, V> Map<K, V> oldestGiveWay(int most) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    /**
     * @param own whose requests are kept
     */
    public BrokerTimes(OwnClients own) {
        this.own = own;
    }

    /** Takes in a page. */
    public void add(MarkPage page) {
        form = page.form;
        busyKnown = page.reportsBusy();
        turnTo(page);
        page.records.forEach(this::add);
        page.requests.forEach(this::add);
        addFetchers(page);
        for (PauseMark pause : page.pauses) {
            if (pause.ended - pause.began > 0) {
                pauses.add(pause.ended, pause.began);
                pauses.dropBefore(pause.ended - KEPT);
            }
        }
        for (BusyMark pass : page.busy) {
            if (pass.ended - pass.began > 0) {
                Rows rows = of(busy, pass.processor, () -> new Rows(Busy.COLUMNS, MOST_ROWS));
                rows.add(pass.ended, pass.began, Math.max(0, Math.min(pass.queueFull, pass.ended - pass.began)));
                rows.dropBefore(pass.ended - KEPT);
            }
        }
        page.followed.forEach(this::add);
        addGaps(page);
        dropOld();
        if (!page.isFull()) {
            pages++;
            unfinished = false;
        }
        pending.clear();
        page.pending.stream()
                .limit(MarkPage.MOST_PENDING)
                .forEach(mark -> pending.computeIfAbsent(
                                new Key(mark.topicId, mark.partition, 0), key -> new ArrayList<>())
                        .add(mark));
    }

    /**
     * A full page and its rest are one page: what was made at once. Of one that was not read to its end the rest comes
     * with the next.
     */
    private void turnTo(MarkPage page) {
        if (unfinished && (page.made() == MarkPage.UNKNOWN || page.made() != made)) {
            pages++;
        }
        if (!unfinished && page.isFull()) {
            unfinished = true;
            unfinishedSince = page.made();
        }
        made = page.made();
    }

    private void dropOld() {
        dropReported(followed, Followed.REPORTED);
        dropReported(gaps, Gap.REPORTED);
        Iterator<PagedMark> eldestRecord = records.values().iterator();
        while (eldestRecord.hasNext() && newestAppended - eldestRecord.next().mark.appended > KEPT) {
            eldestRecord.remove();
        }
        Iterator<RequestMark> eldestProduce = produces.values().iterator();
        while (eldestProduce.hasNext() && newestReceived - eldestProduce.next().received > KEPT) {
            eldestProduce.remove();
        }
    }

    private void add(RecordMark mark) {
        newestAppended = records.isEmpty() ? mark.appended : later(newestAppended, mark.appended);
        long last = Math.min(mark.lastOffset, mark.firstOffset + LONGEST_BATCH);
        for (long offset = mark.firstOffset; offset <= last; offset++) {
            records.put(new Key(mark.topicId, mark.partition, offset), new PagedMark(mark, pages + 1));
        }
        lastCommitted.merge(
                new Key(mark.topicId, mark.partition, 0),
                mark,
                (before, now) -> now.committed - before.committed < 0 ? before : now);
        mark.arrivals.forEach(
                (follower, at) -> replicas.merge(new Key(mark.topicId, mark.partition, follower), at, Math::max));
    }

    private void add(RequestMark request) {
        if (!own.sent(request)) {
            return;
        }
        if (request.api == RequestMark.Api.PRODUCE) {
            newestReceived = produces.isEmpty() ? request.received : later(newestReceived, request.received);
            produces.put(request.received, request);
        } else if (request.api == RequestMark.Api.FETCH) {
            Rows rows = of(consumers, request.client, () -> new Rows(Fetch.COLUMNS, MOST_ROWS));
            rows.add(
                    request.received,
                    request.dequeued,
                    request.completed,
                    request.answered,
                    request.sent,
                    request.processor,
                    0,
                    MarkPage.UNKNOWN);
            rows.dropBefore(request.received - KEPT);
        }
    }

    private void addFetchers(MarkPage page) {
        Set<Long> begun = new HashSet<>();
        for (FetcherMark fetch : page.fetchers) {
            long connection = connection(fetch.follower, fetch.fetcher);
            Rows rows = of(fetchers, connection, () -> new Rows(Fetch.COLUMNS, MOST_ROWS));
            boolean isFirst = begun.add(connection);
            boolean cut = fetch.cut || page.missed > 0 && isFirst;
            rows.add(
                    fetch.received,
                    fetch.dequeued,
                    fetch.completed,
                    fetch.answered,
                    fetch.sent,
                    fetch.processor,
                    cut ? 1 : 0,
                    fetch.number);
            rows.dropBefore(fetch.received - KEPT);
        }
    }

    private void add(FollowedMark mark) {
        Rows rows = of(
                followed,
                new Key(mark.topicId, mark.partition, mark.leader),
                () -> new Rows(Followed.COLUMNS, MOST_FOLLOWED));
        rows.dropFrom(mark.lastOffset); // the log was cut off, and goes on from there
        rows.add(
                mark.lastOffset,
                connection(mark.leaderEpoch, mark.fetcher),
                mark.request,
                Math.max(0, mark.gap),
                Math.max(0, mark.appends),
                Math.max(0, mark.pauses),
                made);
    }

    /** Forgets rows of what it did as a follower, the oldest of each place first, and places that nothing is left of. */
    private <K> void dropReported(Map<K, Rows> all, int column) {
        all.values().removeIf(rows -> {
            while (rows.size() > 0 && made - rows.at(0, column) > KEPT) {
                rows.dropFirst();
            }
            return rows.size() == 0;
        });
    }

    private void addGaps(MarkPage page) {
        Set<Long> begun = new HashSet<>();
        for (FollowedMark mark : page.followed) {
            if (mark.request == MarkPage.UNKNOWN) {
                continue; // nothing can be said of the answers before it
            }
            of(gaps, connection(mark.leader, mark.fetcher), () -> new Rows(Gap.COLUMNS, MOST_GAPS));
            boolean isLost = page.missed > 0 && begun.add(connection(mark.leader, mark.fetcher));
            int kind = isLost ? Gap.CUT : Gap.FOLLOWED;
            addGap(mark.leader, mark.fetcher, mark.request, mark.gap, mark.appends, mark.pauses, kind);
        }
        for (GapMark mark : page.gaps) {
            boolean isLost = page.missed > 0 && begun.add(connection(mark.leader, mark.fetcher));
            int kind = mark.cut || isLost ? Gap.CUT : Gap.OTHER;
            addGap(mark.leader, mark.fetcher, mark.request, mark.gap, mark.appends, mark.pauses, kind);
        }
    }

    private void addGap(int leader, int fetcher, long request, long nanos, long appends, long paused, int kind) {
        Rows rows = gaps.get(connection(leader, fetcher));
        if (rows != null) {
            rows.add(request, Math.max(0, nanos), Math.max(0, appends), Math.max(0, paused), kind, made);
        }
    }

    private static long connection(int broker, int fetcher) {
        return (long) broker << 32 | fetcher & 0xffff_ffffL;
    }

    private static <K> Rows of(Map<K, Rows> all, K key, Supplier<Rows> made) {
        Rows rows = all.get(key);
        if (rows == null) {
            rows = made.get();
            all.put(key, rows);
        }
        return rows;
    }

    /** Whether its agent reports all that a split needs; one of the release before reports records and requests only. */
    public boolean reportsAll() {
        return form >= MarkPage.SECOND_FORM;
    }

    /** Whether its agent reports when network threads are busy; otherwise they may have been at any time. */
    boolean isBusyKnown() {
        return busyKnown;
    }

    /** How many pages have been taken in; a full page with its rest is one. */
    public long pages() {
        return pages;
    }

    /** The mark of a record that this broker led; empty where it has not reported any. */
    public Optional<RecordMark> record(String topicId, int partition, long offset) {
        return Optional.ofNullable(records.get(new Key(topicId, partition, offset)))
                .map(PagedMark::mark);
    }

    /**
     * Until when later batches of a partition were being appended, one after the other, since an instant; that instant
     * where none was. As far as they are reported: many are not committed yet.
     *
     * @param before the batch before them
     * @param from an instant after its append
     * @param until looks no further; after from, or the same
     */
    long appendingUntil(RecordMark before, long from, long until) {
        long end = from;
        long offset = before.lastOffset + 1;
        for (int i = 0; i < MOST_APPENDS && end - until < 0; i++) {
            PagedMark found = records.get(new Key(before.topicId, before.partition, offset));
            if (found == null) {
                break;
            }
            end = appendedAt(end, found.mark.appendBegan, found.mark.appended);
            offset = found.mark.lastOffset + 1;
        }
        for (PendingMark each : pending(before.topicId, before.partition)) {
            if (each.firstOffset >= offset && end - until < 0) {
                end = appendedAt(end, each.appendBegan, each.appended == MarkPage.UNKNOWN ? until : each.appended);
            }
        }
        return end - until < 0 ? end : until;
    }

    private static long appendedAt(long end, long began, long appended) {
        return began - end <= RequestCut.SHORT ? later(end, appended) : end;
    }

    /** Whether the mark of a record came with the last page, or with what there is of the next one. */
    public boolean cameLast(String topicId, int partition, long offset) {
        PagedMark found = records.get(new Key(topicId, partition, offset));
        return found != null && found.page >= pages;
    }

    /** The produce request that brought a record; empty where its answer is not reported. */
    public Optional<RequestMark> request(RecordMark record) {
        return Optional.ofNullable(produces.get(record.received));
    }

    /**
     * Copies what it did, as a follower, with the answer that brought a record, and with some before it.
     *
     * @param leader of the record
     * @param into is emptied first
     */
    public void followed(BatchMark record, long offset, int leader, Gaps into) {
        into.empty();
        Rows rows = followed.get(new Key(record.topicId, record.partition, leader));
        if (rows == null) {
            return;
        }
        int own = rows.firstAt(offset);
        if (own == rows.size() || rows.at(own, Followed.EPOCH_AND_FETCHER) >> 32 < record.leaderEpoch) {
            return;
        }
        int fetcher = (int) rows.at(own, Followed.EPOCH_AND_FETCHER);
        long request = rows.at(own, Followed.REQUEST);
        into.own(
                fetcher,
                request,
                rows.at(own, Followed.NANOS),
                rows.at(own, Followed.APPENDS),
                rows.at(own, Followed.PAUSES));
        Rows all = gaps.get(connection(leader, fetcher));
        int last = all == null ? 0 : all.firstAt(request);
        if (all == null || last == all.size() || all.at(last, Gap.REQUEST) != request) {
            return; // not numbered, or the marks of that thread have given way: its own gap is all that is known
        }
        boolean isWhole = !isCutBefore(all, last) && !isUnfinished(rows.at(own, Followed.REPORTED));
        for (int row = last - 1; row >= 0 && row > last - Gaps.MOST; row--) {
            into.add(
                    all.at(row, Gap.REQUEST),
                    all.at(row, Gap.NANOS),
                    all.at(row, Gap.APPENDS),
                    all.at(row, Gap.PAUSES));
            if (isWhole) {
                into.reportedFrom(all.at(row, Gap.REQUEST));
                isWhole = all.at(row, Gap.KIND) != Gap.CUT;
            }
        }
    }

    /** Whether a gap just before one may be missing: the next one that would say so does. */
    private static boolean isCutBefore(Rows gaps, int row) {
        int next = row;
        while (next < gaps.size() - 1 && gaps.at(next, Gap.KIND) == Gap.FOLLOWED) {
            next++;
        }
        return gaps.at(next, Gap.KIND) == Gap.CUT;
    }

    /** Whether it has reported what it did, as a follower, with the answer that brought a record. */
    public boolean hasFollowed(String topicId, int partition, long offset, int leader) {
        Rows rows = followed.get(new Key(topicId, partition, leader));
        int own = rows == null ? 0 : rows.firstAt(offset);
        return rows != null && own < rows.size() && !isUnfinished(rows.at(own, Followed.REPORTED));
    }

    /** Whether gaps of the same second may still come: those of a second are after what was followed in it. */
    private boolean isUnfinished(long reported) {
        return unfinished && reported - unfinishedSince >= 0;
    }

    /**
     * Copies when its JVM was paused within a stretch of its clock.
     *
     * @param ahead how far this clock is ahead of the leader's
     * @param into gets them by the leader's clock
     */
    public void pausedWithin(long from, long to, long ahead, Gaps into) {
        for (int row = pauses.firstAt(from); row < pauses.size() && pauses.at(row, Pause.BEGAN) - to < 0; row++) {
            into.addPause(pauses.at(row, Pause.BEGAN) - ahead, pauses.at(row, Pause.ENDED) - ahead);
        }
    }

    /** Whether a broker lately was one of the followers that a partition's commits waited for. */
    boolean isReplica(String topicId, int partition, int follower, long now) {
        Long last = replicas.get(new Key(topicId, partition, follower));
        return last != null && now - last < REPLICA_FOR;
    }

    /** When its last page was made; the least number where it does not say so. */
    public long made() {
        return made;
    }

    /**
     * The batches of a partition that were not committed when its last page was made, in the order in which they were
     * appended.
     */
    public List<PendingMark> pending(String topicId, int partition) {
        return pending.getOrDefault(new Key(topicId, partition, 0), List.of());
    }

    /** Whether it has taken records of a partition as its leader since an instant, as far as its last page tells. */
    public boolean hasAppendedAfter(String topicId, int partition, long instant) {
        RecordMark last = lastCommitted.get(new Key(topicId, partition, 0));
        return last != null && last.appendBegan - instant > 0
                || pending(topicId, partition).stream().anyMatch(each -> each.appendBegan - instant > 0);
    }

    /**
     * By follower that the last reported commit of a partition waited for, as they are awaited until a commit did not: the
     * last batch up to one that it has acknowledged, as far as the last page tells.
     *
     * @param batch not committed
     */
    public SortedMap<Integer, BatchMark> acknowledged(PendingMark batch) {
        SortedMap<Integer, BatchMark> last = new TreeMap<>();
        RecordMark committed = lastCommitted.get(new Key(batch.topicId, batch.partition, 0));
        if (committed != null) {
            committed.arrivals.keySet().forEach(follower -> last.put(follower, committed));
            for (PendingMark each : pending(batch.topicId, batch.partition)) {
                if (each.firstOffset <= batch.firstOffset) {
                    last.replaceAll((follower, before) -> each.arrivals.containsKey(follower) ? each : before);
                }
            }
        }
        return last;
    }

    /** By follower when the last of its fetches was received that is reported. */
    public Map<Integer, Long> lastFetches() {
        Map<Integer, Long> last = new HashMap<>();
        replicas.forEach((key, at) -> last.merge((int) key.offset, at, BrokerTimes::later));
        fetchers.forEach((connection, rows) -> {
            if (rows.size() > 0) {
                last.merge((int) (connection >> 32), rows.at(rows.size() - 1, Fetch.RECEIVED), BrokerTimes::later);
            }
        });
        pending.values()
                .forEach(marks -> marks.forEach(
                        mark -> mark.arrivals.forEach((follower, at) -> last.merge(follower, at, BrokerTimes::later))));
        return last;
    }

    private static long later(long one, long other) {
        return other - one > 0 ? other : one;
    }

    /** The followers that this broker's records lately waited for. */
    Iterable<Integer> followers() {
        Set<Integer> ids = new TreeSet<>();
        replicas.keySet().forEach(key -> ids.add((int) key.offset));
        return ids;
    }

    /** Whether its JVM was paused within a stretch of its clock. */
    public boolean isPausedWithin(long from, long to) {
        int row = pauses.firstAt(from);
        return row < pauses.size() && pauses.at(row, Pause.BEGAN) - to < 0;
    }

    Rows pauses() {
        return pauses;
    }

    /** The busy passes of a network thread; null where none is known. */
    Rows busy(int processor) {
        return busy.get(processor);
    }

    /** Those of all network threads. */
    Iterable<Rows> busy() {
        return busy.values();
    }

    /**
     * Which of a consumer's fetches brought a record.
     *
     * @param committed when the record was, on this broker's clock, as the next one
     * @param delivered when the consumer had it
     * @return its row in {@link #consumer}; negative where it is not reported
     */
    int fetchOf(String client, long committed, long delivered) {
        Rows fetches = consumer(client);
        int row = fetches == null ? -1 : fetches.firstAt(delivered) - 1;
        while (row >= 0 && fetches.at(row, Fetch.ANSWERED) - delivered > RequestCut.SHORT) {
            row--; // one that was sent in the meantime
        }
        return row >= 0 && fetches.at(row, Fetch.COMPLETED) - committed >= 0 ? row : -1;
    }

    /** Whether the fetch that brought a record is reported, or none of that consumer ever was; see {@link #fetchOf}. */
    public boolean hasFetched(String client, long committed, long delivered) {
        return consumer(client) == null || fetchOf(client, committed, delivered) >= 0;
    }

    /** The fetches of a consumer; null where none is known. */
    Rows consumer(String client) {
        return consumers.get(client);
    }

    /**
     * The fetches on the connection on which a follower's fetch was received then; the only connection of that
     * follower where none is reported yet. Null where that is not known.
     *
     * @param fetcher the number of the fetcher thread, or {@link MarkPage#UNKNOWN_ID}
     */
    Rows fetches(int follower, int fetcher, long received) {
        Rows only = null;
        int count = 0;
        for (Map.Entry<Long, Rows> each : fetchers.entrySet()) {
            if ((int) (each.getKey() >> 32) == follower) {
                Rows rows = each.getValue();
                int row = rows.firstAt(received);
                boolean same = row < rows.size() && rows.at(row, Fetch.RECEIVED) == received;
                if (same || each.getKey().intValue() == fetcher) {
                    return rows;
                }
                only = rows;
                count++;
            }
        }
        return count == 1 ? only : null;
    }
}
