/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

/**
 * The passage of one produce request of the canary through a broker, in nanoseconds of the clock of
 * {@link RecordMark}. Its records are those whose marks have the same {@link #received}.
 */
public final class RequestMark {

    static final String KIND = "request";

    /** When it had been read from the connection. */
    public final long received;

    /** When a request handler took it. */
    public final long dequeued;

    /** When that handler was done with it. */
    public final long handled;

    /** When the response was ready: with acks=all not before the commit. */
    public final long completed;

    /**
     * When a network thread took the response to send it. The client cannot have it before this
     * instant.
     */
    public final long answered;

    /**
     * When a network thread noticed that the response was sent. The client may have had it before
     * this instant.
     */
    public final long sent;

    /** See the fields. */
    public RequestMark(long received, long dequeued, long handled, long completed, long answered, long sent) {
        this.received = received;
        this.dequeued = dequeued;
        this.handled = handled;
        this.completed = completed;
        this.answered = answered;
        this.sent = sent;
    }

    static RequestMark parse(KeyValueLine line) {
        return new RequestMark(
                line.number("received"),
                line.number("dequeued"),
                line.number("handled"),
                line.number("completed"),
                line.number("answered"),
                line.number("sent"));
    }

    KeyValueLine line() {
        return new KeyValueLine(KIND)
                .with("received", received)
                .with("dequeued", dequeued)
                .with("handled", handled)
                .with("completed", completed)
                .with("answered", answered)
                .with("sent", sent);
    }
}
