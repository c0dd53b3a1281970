/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.Mark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The last marks of this broker, numbered from 1 in their order, for those who ask. Thread-safe.
 */
final class MarkLog {

    /**
     * Marks of all kinds. A probe in a request of its own leaves about six on its leader, and one on each
     * follower. Were there nothing else, these would be some 5,000 probes: four minutes of 20 a second on one
     * leader, half a minute of 160. Beside them come what network threads and followers did: up to some
     * thousand a second, with which they are half a minute. Some 12 MB when full.
     */
    static final int KEPT = 32_768;

    /** Marks whose references are copied at a time, while threads of the broker wait. */
    private static final int STEP = 1_024;

    private final String boot = UUID.randomUUID().toString();
    private final Mark[] marks = new Mark[KEPT];
    private long last;

    /** Adds a mark; the oldest gives way. */
    synchronized void add(Mark mark) {
        last++;
        marks[(int) (last % KEPT)] = mark;
    }

    /** Sequence of the last mark; 0 while there is none. */
    synchronized long last() {
        return last;
    }

    /**
     * The marks after a sequence that a page of a form has, as many as there is room for. Threads of
     * the broker that add marks wait only while the references are copied.
     *
     * @param after sequence of the page before; 0 for all that are kept
     * @param until sequence of the last mark that may be reported
     * @param active whether new ones are made at present
     * @param pending what is reported before all others
     */
    MarkPage after(int form, long after, long until, boolean active, List<PendingMark> pending) {
        long asked;
        List<Mark> some;
        long next;
        long end;
        synchronized (this) {
            // A sequence beyond the last one is from an earlier start of this broker.
            asked = after > last ? 0 : after;
            next = Math.max(asked, last - KEPT) + 1;
            end = Math.max(next - 1, Math.min(until, last));
            some = from(next, end);
        }
        MarkPage page = form == MarkPage.FIRST_FORM
                ? new MarkPage(boot, active, end, next - 1 - asked)
                : MarkPage.second(boot, active, end, next - 1 - asked);
        pending.forEach(page::add);
        while (!some.isEmpty()) {
            for (Mark mark : some) {
                if (!page.add(mark)) {
                    return page.endingAt(next - 1).withMore(true);
                }
                next++;
            }
            some = from(next, end);
        }
        return next > end ? page : page.endingAt(next - 1).withMore(true);
    }

    /** At most {@link #STEP} of them; none when the first has given way meanwhile. */
    private synchronized List<Mark> from(long first, long end) {
        if (first <= last - KEPT) {
            return List.of();
        }
        List<Mark> some = new ArrayList<>(STEP);
        for (long i = first; i <= end && some.size() < STEP; i++) {
            some.add(marks[(int) (i % KEPT)]);
        }
        return some;
    }
}
