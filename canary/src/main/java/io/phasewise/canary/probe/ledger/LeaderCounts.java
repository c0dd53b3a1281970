/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.probe.ledger;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.phasewise.canary.trip.Outcome;
import java.util.OptionalLong;

/**
 * What became of the probes of one leader, all counts taken at one instant.
 *
 * @param leader broker id
 * @param scheduled probes that were due
 * @param outcomes how they ended
 * @param inFlight probes without an outcome yet; counted one by one, not derived from the others
 * @param overdue in flight for longer than {@link OverdueWatch} allows
 * @param duplicates deliveries of a probe that had been delivered before
 * @param outOfOrder probes found at a lower offset than one of the same partition that had been
 *     acknowledged before they were scheduled
 * @param resurfaced deliveries of a probe that had ended as lost or send_failed; its outcome stays
 * @param verdicts by the SLO
 * @param youngestDeliveredNanos when the youngest of those that came back was due, monotonic
 *     nanoseconds; empty when none came back
 */
public record LeaderCounts(
        int leader,
        long scheduled,
        Outcomes outcomes,
        long inFlight,
        long overdue,
        long duplicates,
        long outOfOrder,
        long resurfaced,
        Verdicts verdicts,
        OptionalLong youngestDeliveredNanos) {

    /**
     * Probes by {@link Outcome}, which says what each means.
     */
    public record Outcomes(
            long delivered,
            long late,
            long lost,
            @JsonProperty("send_failed") long sendFailed) {
        /** How many probes ended so. */
        public long of(Outcome outcome) {
            return switch (outcome) {
                case DELIVERED -> delivered;
                case LATE -> late;
                case LOST -> lost;
                case SEND_FAILED -> sendFailed;
            };
        }
    }

    /**
     * Probes by SLO verdict.
     *
     * @param good delivered within the SLO target
     * @param bad every other probe, counted on delivery, on a failed send, or at the deadline,
     *     whichever is first
     * @param stalledBad those of the bad that are within the target once the time is taken off in
     *     which the canary's own process was paused; failed sends are never among them
     */
    public record Verdicts(long good, long bad, long stalledBad) {}

    /**
     * Those of a leader that has had no probes.
     *
     * @param leader broker id
     */
    public static LeaderCounts none(int leader) {
        return new LeaderAccount(leader, null).counts();
    }

    /** See {@link Outcomes#lost}. */
    public long lost() {
        return outcomes.lost();
    }
}
