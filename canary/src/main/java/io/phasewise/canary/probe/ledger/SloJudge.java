/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import java.util.function.LongBinaryOperator;

/** Gives each probe its SLO verdict, once. {@link Ledger}, whose lock guards this, says when. */
final class SloJudge {
    private final long targetNanos;
    private final LongBinaryOperator stalledNanos;

    /** The verdicts of all leaders, also of those that are forgotten. */
    private final LeaderAccount.VerdictCounts all = new LeaderAccount.VerdictCounts();

    /**
     * @param targetNanos delivered within this is good
     * @param stalledNanos how long the canary's own process was paused between two instants; asked
     *     for bad probes only
     */
    SloJudge(long targetNanos, LongBinaryOperator stalledNanos) {
        this.targetNanos = targetNanos;
        this.stalledNanos = stalledNanos;
    }

    void delivered(Probe probe, long nowNanos) {
        if (nowNanos - probe.dueNanos <= targetNanos) {
            judge(probe, true, false);
        } else {
            missed(probe, nowNanos);
        }
    }

    /**
     * Judges a probe bad that came back over the target, or has not come back by its deadline. Whether
     * that is the canary's own doing: its time so far, less the pauses of the canary's process, is
     * within the target. A probe that has its verdict keeps it.
     */
    void missed(Probe probe, long nowNanos) {
        if (!probe.judged) {
            long nanos = nowNanos - probe.dueNanos;
            long stalled = stalledNanos.applyAsLong(probe.dueNanos, nowNanos);
            judge(probe, false, nanos - stalled <= targetNanos);
        }
    }

    /** A failed send is bad, and never the canary's own doing. */
    void failed(Probe probe) {
        judge(probe, false, false);
    }

    private void judge(Probe probe, boolean good, boolean ownStall) {
        if (!probe.judged) {
            probe.judged = true;
            probe.leader.verdicts.add(good, ownStall);
            all.add(good, ownStall);
        }
    }

    /** The verdicts on all probes. */
    LeaderCounts.Verdicts verdicts() {
        return all.now();
    }
}
