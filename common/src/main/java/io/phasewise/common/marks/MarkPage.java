/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import java.util.ArrayList;
import java.util.List;

/**
 * One answer to {@code GET /marks?after=SEQUENCE}: the marks that a broker's agent has made since
 * that sequence, oldest first. The first line names the version of the protocol. A later version
 * may have further kinds of lines and values, which this class passes over.
 */
public final class MarkPage {

    /** An instant that is not known. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** With what an answer begins, whichever its version. */
    public static final String BEGINNING = "phasewise-marks ";

    /** How many marks a page holds at most. */
    public static final int MOST_MARKS = 1_024;

    private static final String FIRST_LINE = BEGINNING + "1";
    private static final String KIND = "page";

    /**
     * An id that is new with each start of the broker. Sequences and instants of another start
     * cannot be compared with these.
     */
    public final String boot;

    /** Whether the agent learns of new marks at present. */
    public final boolean active;

    /** What to ask for next time: the sequence of the last mark in this page. */
    public final long sequence;

    /**
     * How many marks since the sequence asked for are lost, because the agent no longer keeps them.
     */
    public final long missed;

    /** Whether there are more, to be asked for at once. */
    private boolean more;

    public final List<RecordMark> records = new ArrayList<>();
    public final List<RequestMark> requests = new ArrayList<>();

    /** See the fields; without marks. */
    public MarkPage(String boot, boolean active, long sequence, long missed) {
        this.boot = boot;
        this.active = active;
        this.sequence = sequence;
        this.missed = missed;
    }

    /** Says that there are more marks after these. */
    public MarkPage withMore(boolean those) {
        more = those;
        return this;
    }

    /**
     * Whether there are more marks, or may be: an agent of the first release does not say so, and
     * its pages are full with {@link #MOST_MARKS}.
     */
    public boolean isFull() {
        return more || records.size() + requests.size() >= MOST_MARKS;
    }

    /**
     * Reads a page.
     *
     * @throws IllegalArgumentException when it is none, or of another version
     */
    public static MarkPage parse(String text) {
        String[] lines = text.split("\n");
        if (lines.length < 2 || !lines[0].equals(FIRST_LINE)) {
            throw new IllegalArgumentException("this is no answer of " + FIRST_LINE);
        }
        KeyValueLine head = KeyValueLine.parse(lines[1]);
        MarkPage page = new MarkPage(
                head.text("boot"),
                Boolean.parseBoolean(head.text("active")),
                head.number("sequence"),
                head.number("missed"));
        page.more = head.flag("more");
        for (int i = 2; i < lines.length; i++) {
            KeyValueLine line = KeyValueLine.parse(lines[i]);
            if (line.kind.equals(RecordMark.KIND)) {
                page.records.add(RecordMark.parse(line));
            } else if (line.kind.equals(RequestMark.KIND)) {
                page.requests.add(RequestMark.parse(line));
            }
        }
        return page;
    }

    @Override
    public String toString() {
        KeyValueLine head = new KeyValueLine(KIND)
                .with("boot", boot)
                .with("active", active)
                .with("sequence", sequence)
                .with("missed", missed);
        if (more) {
            head.with("more", true);
        }
        StringBuilder text = new StringBuilder(FIRST_LINE + "\n" + head + "\n");
        records.forEach(each -> text.append(each.line()).append('\n'));
        requests.forEach(each -> text.append(each.line()).append('\n'));
        return text.toString();
    }
}
