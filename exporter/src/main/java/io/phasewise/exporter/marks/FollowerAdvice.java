/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.FollowedMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.exporter.instrument.Hooks;
import io.phasewise.exporter.instrument.ScalaValues;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * What Kafka's fetcher threads call: see {@link MarkHooks} for where. An answer of a leader begins a
 * gap, the next request on that thread ends it; of a gap in which records of the canary's topic were
 * appended a short mark is made for each of its partitions, and one of over a millisecond in which there
 * were none is kept in {@link FollowerGaps} where the thread appended some lately. Public, and static, as there is no
 * object to reach it by from there.
 */
public final class FollowerAdvice {

    /** Takes the marks, another one each time that it is switched on; null while none are made. */
    static volatile Consumer<FollowedMark> followed;

    /** Of this JVM; set before {@link #followed}. */
    static volatile Pauses pauses;

    /** Monotonic nanoseconds of all marks; a test sets another one. */
    static volatile LongSupplier nanoClock = System::nanoTime;

    static final FollowerGaps GAPS = new FollowerGaps();

    static final HookBudget BUDGET = new HookBudget(MarkHooks.REPLICA_FETCHES);

    /** What a fetch is called; a fetcher thread also asks for offsets now and then. */
    private static final String FETCH = "FETCH";

    /** Partitions of the canary's topic that one answer may have; of more there are no marks. */
    static final int MOST_PARTITIONS = 32;

    /** How long the gaps of a thread are kept after it appended records of the canary's topic. */
    static final long FOLLOWS_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** Of one append in so many the time of {@link #isFollowed} counts for the budget. */
    private static final int SAMPLED = 16;

    /** What a fetcher thread of the broker is doing at present. */
    private static final class Fetcher {
        private int leader;
        private int number;

        /**
         * The number of the last fetch. It begins with the clock's microseconds: so a later thread's numbers are higher,
         * whoever restarts it.
         */
        private long request = TimeUnit.NANOSECONDS.toMicros(System.nanoTime());

        /** Where its other gaps are kept; null before the first one, and while there are too many threads. */
        private FollowerGaps.Fetcher gaps;

        /** Whether gaps since the one that was kept last were not kept. */
        private boolean cut;

        /** When it appended records of the canary's topic; unknown before it has. */
        private long followed = MarkPage.UNKNOWN;

        /** Who took marks when the last answer was received: it may be off and on again since. */
        private Consumer<FollowedMark> listener;

        /** When the last answer was received; unknown while one is awaited. */
        private long answered = MarkPage.UNKNOWN;

        /** Whether the last request was no fetch: what comes after its answer belongs to the gap before. */
        private boolean hasAskedElse;

        /** Nanoseconds of the present gap before such a request, and of them in pauses. */
        private long before;

        private long pausedBefore;

        /** Nanoseconds of all appends since the answer to the last fetch. */
        private long appends;

        /** Partition that is being appended to; null for one that is not of the canary's topic. */
        private TopicPartition appending;

        /** How often it has been asked whether an append is of the canary's topic. */
        private int asked;

        private Object topic;
        private int epoch;

        /** What was appended since the answer; the first of each array are in use. */
        private int count;

        private final Object[] topics = new Object[MOST_PARTITIONS];
        private final int[] partitions = new int[MOST_PARTITIONS];
        private final int[] epochs = new int[MOST_PARTITIONS];
        private final long[] lasts = new long[MOST_PARTITIONS];

        /** No gap yet. */
        private void begin() {
            before = 0;
            pausedBefore = 0;
            appends = 0;
            count = 0;
        }

        private void append(long last) {
            if (count < MOST_PARTITIONS) {
                topics[count] = topic;
                partitions[count] = appending.partition();
                epochs[count] = epoch;
                lasts[count] = last;
                count++;
            }
        }
    }

    /** Null in a thread that does not fetch. */
    private static final ThreadLocal<Fetcher> FETCHER = new ThreadLocal<>();

    private FollowerAdvice() {}

    /**
     * A fetcher thread is about to send a request to a leader.
     *
     * @param api a constant of Kafka's
     */
    public static void sends(int leader, int number, Object api) {
        Consumer<FollowedMark> marks = followed;
        if (marks == null) {
            return;
        }
        long began = System.nanoTime();
        long now = nanoClock.getAsLong();
        Fetcher fetcher = FETCHER.get();
        if (fetcher == null) {
            fetcher = new Fetcher();
            FETCHER.set(fetcher);
        }
        boolean fetches = FETCH.equals(String.valueOf(api));
        if (fetches) {
            fetcher.request++;
        }
        boolean isKnown = fetcher.answered != MarkPage.UNKNOWN && fetcher.listener == marks;
        if (isKnown) {
            long part = now - fetcher.answered;
            fetcher.before += part;
            if (fetcher.count > 0 || part > FollowerGaps.LEAST_NANOS) {
                fetcher.pausedBefore += pauses.between(fetcher.answered, now);
            }
        }
        if (fetches || !isKnown) {
            if (isKnown) {
                end(fetcher, now, marks);
            }
            fetcher.begin();
        }
        fetcher.hasAskedElse = !fetches;
        fetcher.leader = leader;
        fetcher.number = number;
        fetcher.answered = MarkPage.UNKNOWN;
        BUDGET.spend(System.nanoTime() - began);
    }

    private static void end(Fetcher fetcher, long now, Consumer<FollowedMark> marks) {
        if (fetcher.count > 0) {
            fetcher.followed = now;
            report(fetcher, marks);
        } else if (fetcher.before > FollowerGaps.LEAST_NANOS) {
            keep(fetcher, now);
        }
    }

    private static void keep(Fetcher fetcher, long now) {
        if (fetcher.followed == MarkPage.UNKNOWN || now - fetcher.followed > FOLLOWS_NANOS) {
            fetcher.cut = true;
            return;
        }
        if (fetcher.gaps == null) {
            fetcher.gaps = GAPS.begin(fetcher.leader, fetcher.number);
        }
        if (fetcher.gaps != null) {
            fetcher.gaps.add(fetcher.request, fetcher.before, fetcher.appends, fetcher.pausedBefore, fetcher.cut);
        }
        fetcher.cut = fetcher.gaps == null;
    }

    private static void report(Fetcher fetcher, Consumer<FollowedMark> marks) {
        for (int i = 0; i < fetcher.count; i++) {
            marks.accept(new FollowedMark(
                    fetcher.leader,
                    fetcher.number,
                    fetcher.request,
                    String.valueOf(fetcher.topics[i]),
                    fetcher.partitions[i],
                    fetcher.epochs[i],
                    fetcher.lasts[i],
                    fetcher.before,
                    fetcher.appends,
                    fetcher.pausedBefore));
        }
    }

    /** The leader's answer is here. Never throws. */
    public static void answered() {
        try {
            Consumer<FollowedMark> marks = followed;
            Fetcher fetcher = marks == null ? null : FETCHER.get();
            if (fetcher != null) {
                fetcher.listener = marks;
                fetcher.answered = nanoClock.getAsLong();
                fetcher.appending = null;
                if (!fetcher.hasAskedElse) {
                    fetcher.begin();
                }
            }
        } catch (Throwable surprise) {
            Hooks.failed(surprise, MarkHooks.REPLICA_FETCHES);
        }
    }

    /** Whether what a follower is about to append is of the canary's topic: asked of every append. */
    public static boolean isFollowed(TopicPartition partition) {
        if (followed == null) {
            return false;
        }
        Marks current = MarkAdvice.marks;
        Fetcher fetcher = FETCHER.get();
        if (fetcher == null) {
            return false;
        }
        fetcher.appending = null;
        if (current == null) {
            return false;
        }
        if (++fetcher.asked % SAMPLED != 0) {
            return current.concerns(partition);
        }
        long began = System.nanoTime();
        boolean concerns = current.concerns(partition);
        BUDGET.spend(SAMPLED, System.nanoTime() - began);
        return concerns;
    }

    /**
     * A follower is about to append what {@link #isFollowed}.
     *
     * @param topicId an option of Scala's
     * @param broker id of this one
     */
    public static void appends(TopicPartition partition, Object topicId, int leaderEpoch, int broker) {
        Fetcher fetcher = FETCHER.get();
        fetcher.topic = ScalaValues.orNull(topicId);
        fetcher.epoch = leaderEpoch;
        fetcher.appending = fetcher.topic == null ? null : partition;
        MarkAdvice.learnBroker(broker);
    }

    /**
     * A log has appended on a thread that leads nothing. Never throws: it is called in another hook, which
     * must not end with this one.
     *
     * @param end offset of the next record as it was when the append began
     * @param last offset of the last record; below the end when there were none
     * @param nanos how long it took
     */
    static void appended(long end, long last, long nanos) {
        try {
            Fetcher fetcher = followed == null ? null : FETCHER.get();
            if (fetcher == null || fetcher.answered == MarkPage.UNKNOWN) {
                return;
            }
            fetcher.appends += nanos;
            if (fetcher.appending != null) {
                if (last >= end) {
                    fetcher.append(last);
                }
                fetcher.appending = null;
            }
        } catch (Throwable surprise) {
            Hooks.failed(surprise, MarkHooks.REPLICA_FETCHES);
        }
    }
}
