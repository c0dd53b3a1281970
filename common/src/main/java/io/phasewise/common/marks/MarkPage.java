/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import java.util.ArrayList;
import java.util.List;

/**
 * One answer to {@code GET /marks?after=SEQUENCE&form=2}: the marks that a broker's agent has made
 * since that sequence, oldest first, and the batches that are not committed yet. The first line names
 * the form: an agent of the release before answers the first one, whatever it is asked for, and an
 * agent that is not asked for the second one, too. A later form may have further kinds of lines and
 * values, which this class passes over.
 *
 * <p>The first form has records and produce requests only.
 */
public final class MarkPage {

    /** An instant that is not known. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** The id of a broker or of a network thread that is not known. */
    public static final int UNKNOWN_ID = -1;

    /** With what an answer begins, whichever its form. */
    public static final String BEGINNING = "phasewise-marks ";

    public static final int FIRST_FORM = 1;
    public static final int SECOND_FORM = 2;

    /** How many marks a page of the first form holds at most. */
    public static final int MOST_MARKS = 1_024;

    /** How many marks a page of the second form holds at most, pending ones included. */
    public static final int MOST_LINES = 4_096;

    /** How many of them may be pending. */
    public static final int MOST_PENDING = 256;

    /** How long a page is at most, in bytes: whoever reads one need not read on. */
    public static final int MOST_BYTES = 1 << 20;

    /** For the first two lines; ids and numbers are short. */
    private static final int HEAD_BYTES = 512;

    private static final String KIND = "page";

    /** 1 or 2. */
    public final int form;

    /**
     * An id that is new with each start of the broker. Sequences and instants of another start
     * cannot be compared with these.
     */
    public final String boot;

    /** Whether the agent learns of new marks at present. */
    public final boolean active;

    /** What to ask for next time: the sequence of the last mark in this page. */
    public long sequence;

    /**
     * How many marks since the sequence asked for are lost, because the agent no longer keeps them.
     */
    public final long missed;

    /** Whether there are more, to be asked for at once. */
    private boolean more;

    private int broker = UNKNOWN_ID;
    private long made = UNKNOWN;
    private long missedFetchers;
    private boolean reportsBusy;

    /** In the form of this page, line ends included. */
    private int bytes = HEAD_BYTES;

    private int marks;

    public final List<RecordMark> records = new ArrayList<>();
    public final List<RequestMark> requests = new ArrayList<>();
    public final List<FetcherMark> fetchers = new ArrayList<>();
    public final List<PauseMark> pauses = new ArrayList<>();
    public final List<BusyMark> busy = new ArrayList<>();
    public final List<FollowedMark> followed = new ArrayList<>();
    public final List<GapMark> gaps = new ArrayList<>();

    /** Every one that there is when the page is made, not only new ones. */
    public final List<PendingMark> pending = new ArrayList<>();

    /** A page of the first form; see the fields; without marks. */
    public MarkPage(String boot, boolean active, long sequence, long missed) {
        this(FIRST_FORM, boot, active, sequence, missed);
    }

    private MarkPage(int form, String boot, boolean active, long sequence, long missed) {
        this.form = form;
        this.boot = boot;
        this.active = active;
        this.sequence = sequence;
        this.missed = missed;
    }

    /** A page of the second form; see the fields; without marks. */
    public static MarkPage second(String boot, boolean active, long sequence, long missed) {
        return new MarkPage(SECOND_FORM, boot, active, sequence, missed);
    }

    /** Says that there are more marks after these. */
    public MarkPage withMore(boolean those) {
        more = those;
        return this;
    }

    /** Says what to ask for next time. */
    public MarkPage endingAt(long last) {
        sequence = last;
        return this;
    }

    /** Says which broker this is. */
    public MarkPage ofBroker(int id) {
        broker = id;
        return this;
    }

    /** Says when the page was made, in nanoseconds of the broker's clock. */
    public MarkPage madeAt(long instant) {
        made = instant;
        return this;
    }

    /** Says whether busy times of network threads are reported at present. */
    public MarkPage withBusy(boolean those) {
        reportsBusy = those;
        return this;
    }

    /**
     * Says how many fetches of followers were left out as this page's second began. For information: where
     * they are missing {@link FetcherMark#cut} says.
     */
    public MarkPage withMissedFetchers(long count) {
        missedFetchers = count;
        return this;
    }

    /** Id of the broker; {@link #UNKNOWN_ID} where its agent does not say so. */
    public int broker() {
        return broker;
    }

    /** When the page was made; {@link #UNKNOWN} in the first form. */
    public long made() {
        return made;
    }

    /** How many fetches of followers were left out because there were too many; 0 in the first form. */
    public long missedFetchers() {
        return missedFetchers;
    }

    /**
     * Whether the agent reports when network threads are busy: without a mark one was not then. False in
     * the first form, and where the agent's hook is not at work.
     */
    public boolean reportsBusy() {
        return reportsBusy;
    }

    /**
     * Adds a mark, or passes over one that this form does not have.
     *
     * @return false when the page has no room for it, and is as before
     */
    public boolean add(Mark mark) {
        if (form == FIRST_FORM && !mark.isInFirstForm()) {
            return true;
        }
        int length = mark.line(form).toString().length() + 1;
        if (marks == (form == FIRST_FORM ? MOST_MARKS : MOST_LINES) || bytes + length > MOST_BYTES) {
            return false;
        }
        marks++;
        bytes += length;
        mark.addTo(this);
        return true;
    }

    /**
     * Whether there are more marks, or may be: an agent of the first release does not say so, and
     * its pages are full with {@link #MOST_MARKS}.
     */
    public boolean isFull() {
        return more || form == FIRST_FORM && records.size() + requests.size() >= MOST_MARKS;
    }

    /**
     * Reads a page of either form.
     *
     * @throws IllegalArgumentException when it is none, of another form, cut off, or longer than a
     *     page may be; the message says which
     */
    public static MarkPage parse(String text) {
        int form = form(text);
        if (text.length() > MOST_BYTES) {
            throw new IllegalArgumentException("this page is longer than " + MOST_BYTES + " characters");
        }
        if (!text.endsWith("\n")) {
            throw new IllegalArgumentException("this page is cut off");
        }
        String[] lines = text.split("\n");
        KeyValueLine head = KeyValueLine.parse(lines.length < 2 ? "" : lines[1]);
        if (!head.kind.equals(KIND)) {
            throw new IllegalArgumentException("there is no line " + KIND + " after " + lines[0]);
        }
        if (lines.length > MOST_LINES + 2) {
            throw new IllegalArgumentException("this page has more than " + MOST_LINES + " marks");
        }
        MarkPage page = new MarkPage(
                        form,
                        head.text("boot"),
                        Boolean.parseBoolean(head.text("active")),
                        head.number("sequence"),
                        head.number("missed"))
                .withMore(head.flag("more"));
        if (form == SECOND_FORM) {
            page.ofBroker(head.optionalId("broker"))
                    .madeAt(head.instant("made"))
                    .withBusy(head.flag("busy"))
                    .withMissedFetchers(head.count("missed_fetchers"));
        }
        for (int i = 2; i < lines.length; i++) {
            page.read(KeyValueLine.parse(lines[i]));
        }
        return page;
    }

    private static int form(String text) {
        for (int form = FIRST_FORM; form <= SECOND_FORM; form++) {
            if (text.startsWith(BEGINNING + form + "\n")) {
                return form;
            }
        }
        throw new IllegalArgumentException(
                "this is no answer of " + BEGINNING + FIRST_FORM + " or " + BEGINNING + SECOND_FORM);
    }

    private void read(KeyValueLine line) {
        if (line.kind.equals(RecordMark.KIND)) {
            records.add(RecordMark.parse(line));
        } else if (line.kind.equals(RequestMark.KIND)) {
            RequestMark.parse(line, form).ifPresent(requests::add);
        } else if (form == SECOND_FORM) {
            readOfSecondForm(line);
        }
    }

    private void readOfSecondForm(KeyValueLine line) {
        switch (line.kind) {
            case FetcherMark.KIND:
                fetchers.add(FetcherMark.parse(line));
                break;
            case PauseMark.KIND:
                pauses.add(PauseMark.parse(line));
                break;
            case BusyMark.KIND:
                busy.add(BusyMark.parse(line));
                break;
            case FollowedMark.KIND:
                followed.add(FollowedMark.parse(line));
                break;
            case GapMark.KIND:
                gaps.add(GapMark.parse(line));
                break;
            case PendingMark.KIND:
                pending.add(PendingMark.parse(line));
                break;
            default:
                // Of a later release.
                break;
        }
    }

    @Override
    public String toString() {
        KeyValueLine head = new KeyValueLine(KIND)
                .with("boot", boot)
                .with("active", active)
                .with("sequence", sequence)
                .with("missed", missed);
        head.withFlag("more", more);
        if (form == SECOND_FORM) {
            head.withId("broker", broker).withInstant("made", made).withFlag("busy", reportsBusy);
            if (missedFetchers > 0) {
                head.with("missed_fetchers", missedFetchers);
            }
        }
        StringBuilder text = new StringBuilder(BEGINNING + form + "\n" + head + "\n");
        for (List<? extends Mark> each : List.of(records, requests, fetchers, pauses, busy, followed, gaps, pending)) {
            each.forEach(mark -> text.append(mark.line(form)).append('\n'));
        }
        return text.toString();
    }
}
