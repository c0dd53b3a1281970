/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.Mark;
import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.PendingMark;
import java.util.List;
import java.util.UUID;

/**
 * The last marks of this broker, numbered from 1 in their order, for those who ask. Thread-safe.
 */
final class MarkLog {

    /**
     * Marks of all kinds. A probe in a request of its own leaves about six on its leader, so these
     * are 5,000 probes: four minutes of 20 a second. A page of the longest kinds is taken out in four
     * seconds at the worst. Some 12 MB when full.
     */
    static final int KEPT = 32_768;

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
     * The marks after a sequence that a page of a form has, as many as there is room for.
     *
     * @param after sequence of the page before; 0 for all that are kept
     * @param until sequence of the last mark that may be told
     * @param active whether new ones are learnt at present
     * @param pending what is told before all others
     */
    synchronized MarkPage after(int form, long after, long until, boolean active, List<PendingMark> pending) {
        // A sequence beyond the last one is from an earlier start of this broker.
        long asked = after > last ? 0 : after;
        long first = Math.max(asked, last - KEPT) + 1;
        long end = Math.max(first - 1, until);
        MarkPage page = form == MarkPage.FIRST_FORM
                ? new MarkPage(boot, active, end, first - 1 - asked)
                : MarkPage.second(boot, active, end, first - 1 - asked);
        pending.forEach(page::add);
        for (long i = first; i <= end; i++) {
            if (!page.add(marks[(int) (i % KEPT)])) {
                return page.endingAt(i - 1).withMore(true);
            }
        }
        return page;
    }
}
