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
 * @param publish until the leader has appended it: network, queues, failed attempts; the leader's
 *     own write too, where its mark reports T2
 * @param commit until every in-sync replica has it; the leader's own write too, where T2 is
 *     estimated
 * @param catchUp the consumer was elsewhere
 * @param fetch the way back
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
