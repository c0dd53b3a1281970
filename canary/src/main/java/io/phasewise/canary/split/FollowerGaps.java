/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.split;

import io.phasewise.canary.account.Gaps;
import io.phasewise.canary.marks.MarkStore;
import io.phasewise.canary.marks.ReportedMarks;
import io.phasewise.common.marks.BatchMark;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What followers have told of the answers that brought them records: copies, so that what two brokers reported is never
 * read at once. For one thread at a time; used again for the next record.
 */
final class FollowerGaps {
    private final Optional<MarkStore> marks;
    private Gaps[] gaps = new Gaps[0];
    private int size;
    private int leader;
    private long at;
    private long shift;
    private long from;
    private long to;

    FollowerGaps(Optional<MarkStore> marks) {
        this.marks = marks;
    }

    /**
     * Begins with a record: those of the one before are overwritten.
     *
     * @param of leader of it
     * @param now an instant of the canary's clock, for how far others are ahead of it
     * @param ahead how far the leader's clock is ahead of it
     * @param begins of the leader's clock: pauses since then are copied
     * @param ends and until then
     */
    void begin(int of, long now, long ahead, long begins, long ends) {
        leader = of;
        at = now;
        shift = ahead;
        from = begins;
        to = ends;
        size = 0;
    }

    /**
     * Copies what a follower did with the answer that brought a record.
     *
     * @return the copy, with nothing in it where it has not told
     */
    Gaps add(int follower, BatchMark batch, long offset) {
        if (size == gaps.length) {
            gaps = Arrays.copyOf(gaps, size + 1);
            gaps[size] = new Gaps();
        }
        Gaps into = gaps[size++];
        into.empty();
        ReportedMarks reported = marks.flatMap(store -> store.find(follower)).orElse(null);
        if (reported == null) {
            return into;
        }
        OptionalLong ahead = reported.ahead(at);
        reported.read(times -> {
            times.followed(batch, offset, leader, into);
            if (ahead.isPresent()) {
                long more = ahead.getAsLong() - shift;
                into.clockKnown();
                times.pausedWithin(from + more, to + more, more, into);
            }
        });
        return into;
    }

    /** Those of this record in the order in which they were added, and perhaps more behind them. */
    Gaps[] all() {
        return gaps;
    }
}
