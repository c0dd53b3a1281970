/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

/**
 * A time in which a network thread of the broker was busy: from the return of its select() until it
 * called it again, passes that follow one another at once together; more than 1 ms. Instants are
 * nanoseconds of the clock of {@link RecordMark}.
 */
public final class BusyMark extends Mark {

    static final String KIND = "busy";

    /** Id of the network thread. */
    public final int processor;

    public final long began;

    public final long ended;

    /** Nanoseconds of it in which the thread waited for room in the request queue. */
    public final long queueFull;

    /** See the fields. */
    public BusyMark(int processor, long began, long ended, long queueFull) {
        this.processor = processor;
        this.began = began;
        this.ended = ended;
        this.queueFull = queueFull;
    }

    static BusyMark parse(KeyValueLine line) {
        return new BusyMark(line.id("processor"), line.number("began"), line.number("ended"), line.count("queue_full"));
    }

    @Override
    KeyValueLine line(int form) {
        return new KeyValueLine(KIND)
                .with("processor", processor)
                .with("began", began)
                .with("ended", ended)
                .with("queue_full", queueFull);
    }

    @Override
    void addTo(MarkPage page) {
        page.busy.add(this);
    }
}
