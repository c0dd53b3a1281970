/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.common.marks;

import java.util.Map;

/** A batch of records that is not committed yet: what is known of it so far. */
public final class PendingMark extends BatchMark {

    static final String KIND = "pending";

    /** See the fields. */
    public PendingMark(
            String topicId,
            int partition,
            int leaderEpoch,
            long firstOffset,
            long lastOffset,
            long received,
            long appendBegan,
            long appended,
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
    }

    private PendingMark(KeyValueLine line) {
        super(line);
    }

    static PendingMark parse(KeyValueLine line) {
        return new PendingMark(line);
    }

    @Override
    KeyValueLine line(int form) {
        return untilAppended(KIND).withInstants("arrivals", arrivals, learned);
    }

    @Override
    void addTo(MarkPage page) {
        page.pending.add(this);
    }
}
