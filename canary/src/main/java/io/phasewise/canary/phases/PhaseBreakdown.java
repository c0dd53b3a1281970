/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.phases;

import io.phasewise.common.phase.Phase;

/**
 * The five phases of one probe; how time was attributed to them is decided by {@link Instants} (by
 * position) or {@link Timeline} (along the critical path).
 *
 * @param produce nanoseconds, at least 0, as all five
 * @param publish network to the leader, queues, failed attempts, until the append: the leader had
 *     written the record, or, where only an estimate is known, had stamped it
 * @param commit until every in-sync replica had it; with an estimate, the leader's write, too
 * @param catchUp the consumer was away from poll(), or still read earlier records
 * @param fetch the way back to the consumer, which waited in poll()
 */
public record PhaseBreakdown(long produce, long publish, long commit, long catchUp, long fetch) {

    /**
     * @throws IllegalArgumentException when a phase is negative
     */
    public PhaseBreakdown {
        if ((produce | publish | commit | catchUp | fetch) < 0) {
            throw new IllegalArgumentException(
                    "negative phase: %d %d %d %d %d".formatted(produce, publish, commit, catchUp, fetch));
        }
    }

    /** End-to-end latency in nanoseconds: the exact sum of the phases. */
    public long total() {
        return produce + publish + commit + catchUp + fetch;
    }

    /** One phase, nanoseconds. */
    public long of(Phase phase) {
        return switch (phase) {
            case PRODUCE -> produce;
            case PUBLISH -> publish;
            case COMMIT -> commit;
            case CATCH_UP -> catchUp;
            case FETCH -> fetch;
        };
    }
}
