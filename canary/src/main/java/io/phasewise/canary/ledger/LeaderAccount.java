/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

/**
 * The counts of one leader's probes, guarded by the ledger's lock; what they mean is left to {@link
 * LeaderCounts}.
 */
final class LeaderAccount {
    final int id;
    final LatencyRecorder recorder;

    long scheduled;
    final long[] outcomes = new long[Outcome.values().length];
    long inFlight;
    long duplicates;
    long outOfOrder;
    long resurfaced;
    long good;
    long bad;
    long stalledBad;

    /** When the youngest probe that came back was due; meaningful once {@link #everDelivered}. */
    long youngestDeliveredNanos;

    boolean everDelivered;

    LeaderAccount(int id, LatencyRecorder recorder) {
        this.id = id;
        this.recorder = recorder;
    }

    LeaderCounts counts() {
        return new LeaderCounts(
                id,
                scheduled,
                outcomes[Outcome.DELIVERED.ordinal()],
                outcomes[Outcome.LATE.ordinal()],
                outcomes[Outcome.LOST.ordinal()],
                outcomes[Outcome.SEND_FAILED.ordinal()],
                inFlight,
                duplicates,
                outOfOrder,
                resurfaced,
                good,
                bad,
                stalledBad,
                everDelivered,
                youngestDeliveredNanos);
    }
}
