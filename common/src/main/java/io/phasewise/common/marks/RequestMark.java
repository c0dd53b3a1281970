/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import java.util.Locale;
import java.util.Optional;

/**
 * The passage of one request of the canary through a broker, in nanoseconds of the clock of {@link
 * RecordMark}. The records of a produce request are those whose marks have the same {@link
 * #received}.
 */
public final class RequestMark extends Mark {

    static final String KIND = "request";

    /** So much of a client id is reported. */
    static final int LONGEST_CLIENT = 256;

    /** What was asked for. */
    public enum Api {
        /** Records were sent. */
        PRODUCE,
        /** Records were asked for by a consumer. */
        FETCH,
        /** The smallest request there is was sent, to time it. */
        PING;

        private final String text = name().toLowerCase(Locale.ROOT);

        /** Empty for one of a later release. */
        private static Optional<Api> of(String text) {
            for (Api api : values()) {
                if (api.text.equals(text)) {
                    return Optional.of(api);
                }
            }
            return Optional.empty();
        }
    }

    public final Api api;

    /**
     * Client id, its first 256 characters; empty in a page of the first form, which has produce
     * requests only.
     */
    public final String client;

    /** Id of the network thread; {@link MarkPage#UNKNOWN_ID} where that is not known. */
    public final int processor;

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

    /** A produce request; nothing is known of its client and network thread. See the fields. */
    public RequestMark(long received, long dequeued, long handled, long completed, long answered, long sent) {
        this(Api.PRODUCE, "", MarkPage.UNKNOWN_ID, received, dequeued, handled, completed, answered, sent);
    }

    /** See the fields. */
    public RequestMark(
            Api api,
            String client,
            int processor,
            long received,
            long dequeued,
            long handled,
            long completed,
            long answered,
            long sent) {
        this.api = api;
        this.client = client.length() > LONGEST_CLIENT ? client.substring(0, LONGEST_CLIENT) : client;
        this.processor = processor;
        this.received = received;
        this.dequeued = dequeued;
        this.handled = handled;
        this.completed = completed;
        this.answered = answered;
        this.sent = sent;
    }

    /**
     * @param form of the page
     * @return empty for a request of a kind that this release does not know
     */
    static Optional<RequestMark> parse(KeyValueLine line, int form) {
        Optional<Api> api = form == MarkPage.FIRST_FORM ? Optional.of(Api.PRODUCE) : Api.of(line.text("api"));
        return api.map(known -> new RequestMark(
                known,
                line.anyText("client"),
                line.optionalId("processor"),
                line.number("received"),
                line.number("dequeued"),
                line.number("handled"),
                line.number("completed"),
                line.number("answered"),
                line.number("sent")));
    }

    @Override
    KeyValueLine line(int form) {
        KeyValueLine line = new KeyValueLine(KIND);
        if (form != MarkPage.FIRST_FORM) {
            line.with("api", api.text).withText("client", client).withId("processor", processor);
        }
        return line.with("received", received)
                .with("dequeued", dequeued)
                .with("handled", handled)
                .with("completed", completed)
                .with("answered", answered)
                .with("sent", sent);
    }

    @Override
    void addTo(MarkPage page) {
        page.requests.add(this);
    }

    @Override
    boolean isInFirstForm() {
        return api == Api.PRODUCE;
    }
}
