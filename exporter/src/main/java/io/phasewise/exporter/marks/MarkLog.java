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
     * The marks after a sequence that a page of a form has, as many as there is room for. Threads of
     * the broker that add marks wait only while the references are copied.
     *
     * @param after sequence of the page before; 0 for all that are kept
     * @param until sequence of the last mark that may be told
     * @param active whether new ones are learnt at present
     * @param pending what is told before all others
     */
    MarkPage after(int form, long after, long until, boolean active, List<PendingMark> pending) {
        long asked;
        Mark[] kept;
        long first;
        synchronized (this) {
            // A sequence beyond the last one is from an earlier start of this broker.
            asked = after > last ? 0 : after;
            first = Math.max(asked, last - KEPT) + 1;
            kept = new Mark[(int) Math.max(0, Math.min(until, last) - first + 1)];
            for (int i = 0; i < kept.length; i++) {
                kept[i] = marks[(int) ((first + i) % KEPT)];
            }
        }
        long end = first + kept.length - 1;
        MarkPage page = form == MarkPage.FIRST_FORM
                ? new MarkPage(boot, active, end, first - 1 - asked)
                : MarkPage.second(boot, active, end, first - 1 - asked);
        pending.forEach(page::add);
        for (int i = 0; i < kept.length; i++) {
            if (!page.add(kept[i])) {
                return page.endingAt(first + i - 1).withMore(true);
            }
        }
        return page;
    }
}
