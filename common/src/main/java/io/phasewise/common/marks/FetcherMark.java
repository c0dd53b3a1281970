/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

/**
 * One fetch of a follower and the answer to it, as the leader saw them, in nanoseconds of the clock
 * of {@link RecordMark}. Fetches of the same follower and fetcher follow one another on one connection.
 */
public final class FetcherMark extends Mark {

    static final String KIND = "fetcher";

    /** Id of the broker that fetches. */
    public final int follower;

    /** Number of its fetcher thread. */
    public final int fetcher;

    /** Id of the network thread; {@link MarkPage#UNKNOWN_ID} where that is not known. */
    public final int processor;

    /** When the fetch had been read from the connection. */
    public final long received;

    /** When a request handler took it. */
    public final long dequeued;

    /** When the answer was ready. */
    public final long completed;

    /** When a network thread took the answer to send it. */
    public final long answered;

    /** When that network thread noticed that the answer was sent. */
    public final long sent;

    /** Whether fetches between the reported one before it on this connection and this one may be missing. */
    public final boolean cut;

    /**
     * Fetches of a connection are numbered as they are answered, those that are not reported, too: so one that has the
     * number after another is the next one. {@link MarkPage#UNKNOWN} where it is not said.
     */
    public final long number;

    /** See the fields; none before it is missing, and it has no number. */
    public FetcherMark(
            int follower,
            int fetcher,
            int processor,
            long received,
            long dequeued,
            long completed,
            long answered,
            long sent) {
        this(follower, fetcher, processor, received, dequeued, completed, answered, sent, false, MarkPage.UNKNOWN);
    }

    /** See the fields. */
    public FetcherMark(
            int follower,
            int fetcher,
            int processor,
            long received,
            long dequeued,
            long completed,
            long answered,
            long sent,
            boolean cut,
            long number) {
        this.follower = follower;
        this.fetcher = fetcher;
        this.processor = processor;
        this.received = received;
        this.dequeued = dequeued;
        this.completed = completed;
        this.answered = answered;
        this.sent = sent;
        this.cut = cut;
        this.number = number;
    }

    static FetcherMark parse(KeyValueLine line) {
        return new FetcherMark(
                line.id("follower"),
                line.id("fetcher"),
                line.optionalId("processor"),
                line.number("received"),
                line.number("dequeued"),
                line.number("completed"),
                line.number("answered"),
                line.number("sent"),
                line.flag("cut"),
                line.instant("number"));
    }

    @Override
    KeyValueLine line(int form) {
        return new KeyValueLine(KIND)
                .with("follower", follower)
                .with("fetcher", fetcher)
                .withId("processor", processor)
                .with("received", received)
                .with("dequeued", dequeued)
                .with("completed", completed)
                .with("answered", answered)
                .with("sent", sent)
                .withFlag("cut", cut)
                .withInstant("number", number);
    }

    @Override
    void addTo(MarkPage page) {
        page.fetchers.add(this);
    }
}
