/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import java.util.Map;

/** The passage of one batch of records through its leader until its commit. */
public final class RecordMark extends BatchMark {

    static final String KIND = "record";

    /** When the high watermark passed the batch; never before {@link #appended}. */
    public final long committed;

    /** See the fields. */
    public RecordMark(
            String topicId,
            int partition,
            int leaderEpoch,
            long firstOffset,
            long lastOffset,
            long received,
            long appendBegan,
            long appended,
            long committed,
            Map<Integer, Long> arrivals,
            Map<Integer, Long> learned) {
        super(
                topicId,
                partition,
                leaderEpoch,
                firstOffset,
                lastOffset,
                received,
                appendBegan,
                appended,
                arrivals,
                learned);
        this.committed = committed;
    }

    private RecordMark(KeyValueLine line) {
        super(line);
        committed = line.number("committed");
    }

    static RecordMark parse(KeyValueLine line) {
        // Only a pending one may lack them.
        line.number("last_offset");
        line.number("appended");
        return new RecordMark(line);
    }

    @Override
    KeyValueLine line(int form) {
        return untilAppended(KIND)
                .with("committed", committed)
                .withInstants("arrivals", arrivals, form == MarkPage.FIRST_FORM ? Map.of() : learned);
    }

    @Override
    void addTo(MarkPage page) {
        page.records.add(this);
    }

    @Override
    boolean isInFirstForm() {
        return true;
    }
}
