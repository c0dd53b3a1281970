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

    /** Whether such times of this thread between the reported one before and this one may be missing. */
    public final boolean cut;

    /** See the fields; none before it is missing. */
    public BusyMark(int processor, long began, long ended, long queueFull) {
        this(processor, began, ended, queueFull, false);
    }

    /** See the fields. */
    public BusyMark(int processor, long began, long ended, long queueFull, boolean cut) {
        this.processor = processor;
        this.began = began;
        this.ended = ended;
        this.queueFull = queueFull;
        this.cut = cut;
    }

    /** The same, before which others are missing. */
    public BusyMark afterMissing() {
        return new BusyMark(processor, began, ended, queueFull, true);
    }

    static BusyMark parse(KeyValueLine line) {
        return new BusyMark(
                line.id("processor"),
                line.number("began"),
                line.number("ended"),
                line.count("queue_full"),
                line.flag("cut"));
    }

    @Override
    KeyValueLine line(int form) {
        return new KeyValueLine(KIND)
                .with("processor", processor)
                .with("began", began)
                .with("ended", ended)
                .with("queue_full", queueFull)
                .withFlag("cut", cut);
    }

    @Override
    void addTo(MarkPage page) {
        page.busy.add(this);
    }
}
