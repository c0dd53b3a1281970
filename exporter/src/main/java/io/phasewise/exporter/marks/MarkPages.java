/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.BusyMark;
import io.phasewise.common.marks.FetcherMark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Makes pages of the second form, once a second, whoever asks: who asks sooner than that after
 * another one gets what came until then, and the rest next time. So many canaries cost no more than
 * one. Thread-safe.
 */
final class MarkPages {

    /** A reader that asks once a second must not come too early for a tenth of it. */
    static final long LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    private final MarkLog log;
    private final FetcherRings fetchers;
    private final NetworkThreads threads;
    private final Pauses pauses;
    private final LongSupplier nanoClock;

    private boolean started;
    private long made;
    private boolean active;
    private long end;
    private boolean reportsBusy;
    private long missedFetchers;
    private List<PendingMark> pending = List.of();

    /** The last page as text, and for which sequence it was asked; null after a new second began. */
    private String text;

    private long textAfter;

    /**
     * @param nanoClock monotonic nanoseconds, of the clock of all marks
     */
    MarkPages(MarkLog log, FetcherRings fetchers, NetworkThreads threads, Pauses pauses, LongSupplier nanoClock) {
        this.log = log;
        this.fetchers = fetchers;
        this.threads = threads;
        this.pauses = pauses;
        this.nanoClock = nanoClock;
    }

    /**
     * The page after a sequence, as text.
     *
     * @param after sequence of the page before; 0 at first
     */
    synchronized String after(long after) {
        long now = nanoClock.getAsLong();
        if (!started || now - made >= LEAST_NANOS) {
            make(now);
        }
        if (text == null || textAfter != after) {
            text = log.after(MarkPage.SECOND_FORM, after, end, active, pending)
                    .ofBroker(MarkAdvice.broker)
                    .madeAt(made)
                    .withBusy(reportsBusy)
                    .withMissedFetchers(missedFetchers)
                    .toString();
            textAfter = after;
        }
        return text;
    }

    private void make(long now) {
        Marks marks = MarkAdvice.marks;
        active = marks != null;
        List<FetcherMark> fetched = new ArrayList<>();
        missedFetchers = fetchers.drain(now, fetched);
        fetched.forEach(log::add);
        FollowerAdvice.GAPS.drain().forEach(log::add);
        pauses.drain(log::add);
        reportsBusy = NetworkAdvice.on && threads.isComplete();
        if (NetworkAdvice.on) {
            List<BusyMark> busy = threads.drain(now);
            if (reportsBusy) {
                busy.forEach(log::add);
            }
        }
        pending = marks == null ? List.of() : pending(marks, now);
        end = log.last();
        started = true;
        made = now;
        text = null;
    }

    private static List<PendingMark> pending(Marks marks, long now) {
        List<PendingMark> all = new ArrayList<>();
        MarkAdvice.appending(all);
        List<PendingMark> appended = marks.pending(MarkPage.MOST_PENDING, now);
        // An append may have ended while this looked.
        all.removeIf(each -> appended.stream().anyMatch(other -> isSame(each, other)));
        all.addAll(appended);
        all.sort((one, other) -> Long.compare(now - other.appendBegan, now - one.appendBegan));
        return all.size() <= MarkPage.MOST_PENDING ? all : all.subList(0, MarkPage.MOST_PENDING);
    }

    private static boolean isSame(PendingMark one, PendingMark other) {
        return one.appendBegan == other.appendBegan
                && one.partition == other.partition
                && one.topicId.equals(other.topicId);
    }
}
