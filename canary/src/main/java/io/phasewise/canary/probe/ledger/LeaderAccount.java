/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import io.phasewise.canary.trip.Outcome;
import java.util.OptionalLong;

/**
 * The counts of one leader's probes, guarded by the ledger's lock; what they mean is left to {@link
 * LeaderCounts}.
 */
final class LeaderAccount {
    final int id;
    final LatencyRecorder recorder;

    /** Stands in the ring for every probe that was delivered a while ago; saves memory. */
    final Probe delivered = Probe.deliveredBefore(this);

    long scheduled;
    final long[] outcomes = new long[Outcome.values().length];
    long inFlight;
    long overdue;
    long duplicates;
    long outOfOrder;
    long resurfaced;
    final VerdictCounts verdicts = new VerdictCounts();

    /** Whether a probe has come back yet. */
    private boolean anyDelivered;

    /** When the youngest probe that came back was due. */
    private long youngestDelivered;

    /** Since when its broker is no member of the cluster any more; empty while it is. */
    OptionalLong goneSince = OptionalLong.empty();

    LeaderAccount(int id, LatencyRecorder recorder) {
        this.id = id;
        this.recorder = recorder;
    }

    /** Notes that a probe that was due then came back. */
    void cameBack(long dueNanos) {
        if (!anyDelivered || dueNanos - youngestDelivered > 0) {
            anyDelivered = true;
            youngestDelivered = dueNanos;
        }
    }

    boolean anyDelivered() {
        return anyDelivered;
    }

    /** Verdicts as they are counted. */
    static final class VerdictCounts {
        private long good;
        private long bad;
        private long stalledBad;

        void add(boolean isGood, boolean ownStall) {
            good += isGood ? 1 : 0;
            bad += isGood ? 0 : 1;
            stalledBad += ownStall ? 1 : 0;
        }

        LeaderCounts.Verdicts now() {
            return new LeaderCounts.Verdicts(good, bad, stalledBad);
        }
    }

    LeaderCounts counts() {
        return new LeaderCounts(
                id,
                scheduled,
                new LeaderCounts.Outcomes(
                        outcomes[Outcome.DELIVERED.ordinal()],
                        outcomes[Outcome.LATE.ordinal()],
                        outcomes[Outcome.LOST.ordinal()],
                        outcomes[Outcome.SEND_FAILED.ordinal()]),
                inFlight,
                overdue,
                duplicates,
                outOfOrder,
                resurfaced,
                verdicts.now(),
                anyDelivered ? OptionalLong.of(youngestDelivered) : OptionalLong.empty());
    }
}
