/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

/**
 * A time in which the broker's JVM did not run, in nanoseconds of the clock of {@link RecordMark}. The
 * least that is reported is 50 ms.
 */
public final class PauseMark extends Mark {

    static final String KIND = "pause";

    public final long began;

    public final long ended;

    /** See the fields. */
    public PauseMark(long began, long ended) {
        this.began = began;
        this.ended = ended;
    }

    static PauseMark parse(KeyValueLine line) {
        return new PauseMark(line.number("began"), line.number("ended"));
    }

    @Override
    KeyValueLine line(int form) {
        return new KeyValueLine(KIND).with("began", began).with("ended", ended);
    }

    @Override
    void addTo(MarkPage page) {
        page.pauses.add(this);
    }
}
