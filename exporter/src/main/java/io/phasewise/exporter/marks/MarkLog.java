/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.marks;

import io.phasewise.common.marks.MarkPage;
import io.phasewise.common.marks.RecordMark;
import io.phasewise.common.marks.RequestMark;
import java.util.UUID;

/**
 * The last marks of this broker, numbered from 1 in their order, for those who ask. Thread-safe.
 */
final class MarkLog {

    /**
     * Marks of both kinds. A probe in a request of its own leaves two, so these are 8,192 probes:
     * almost seven minutes of 20 a second, one second of 8,000. Some 6 MB when full; a page of {@value
     * MarkPage#MOST_MARKS} has some 300 kB.
     */
    static final int KEPT = 16_384;

    private final String boot = UUID.randomUUID().toString();
    private final Object[] marks = new Object[KEPT];
    private long last;

    /** Adds a {@link RecordMark} or a {@link RequestMark}; the oldest gives way. */
    synchronized void add(Object mark) {
        last++;
        marks[(int) (last % KEPT)] = mark;
    }

    /**
     * The marks after a sequence, as many as a page holds.
     *
     * @param after sequence of the page before; 0 for all that are kept
     * @param active whether new ones are learnt at present
     */
    synchronized MarkPage after(long after, boolean active) {
        // A sequence beyond the last one is from an earlier start of this broker.
        long asked = after > last ? 0 : after;
        long first = Math.max(asked, last - KEPT) + 1;
        long end = Math.min(last, first + MarkPage.MOST_MARKS - 1);
        MarkPage page = new MarkPage(boot, active, end, first - 1 - asked).withMore(end < last);
        for (long i = first; i <= end; i++) {
            Object mark = marks[(int) (i % KEPT)];
            if (mark instanceof RecordMark) {
                page.records.add((RecordMark) mark);
            } else {
                page.requests.add((RequestMark) mark);
            }
        }
        return page;
    }
}
