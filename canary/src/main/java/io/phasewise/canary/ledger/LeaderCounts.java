/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.ledger;

/**
 * What became of the probes of one leader, all counts taken at one instant.
 *
 * @param leader broker id
 * @param scheduled probes that were due
 * @param delivered of these, seen within the deadline
 * @param late seen after the deadline, within the loss horizon
 * @param lost not seen within the loss horizon
 * @param sendFailed given up by the producer
 * @param inFlight none of these yet; counted one by one, not derived from the others
 * @param duplicates deliveries of a probe that had been delivered before
 * @param outOfOrder probes found at a lower offset than one of the same partition that had been
 *     acknowledged before they were sent
 * @param resurfaced deliveries of a probe that had ended as lost or send_failed; its outcome stays
 * @param good delivered within the SLO target
 * @param bad every other probe, counted when the target is missed for certain: on delivery, at the
 *     deadline, or on a failed send
 * @param stalledBad of these, those that the target allows once the time is taken off in which the
 *     canary's own process stood still
 * @param everDelivered whether any probe came back
 * @param youngestDeliveredNanos when the youngest of those was due, monotonic nanoseconds;
 *     meaningless before
 */
public record LeaderCounts(
        int leader,
        long scheduled,
        long delivered,
        long late,
        long lost,
        long sendFailed,
        long inFlight,
        long duplicates,
        long outOfOrder,
        long resurfaced,
        long good,
        long bad,
        long stalledBad,
        boolean everDelivered,
        long youngestDeliveredNanos) {

    /** How many probes ended so. */
    public long outcome(Outcome outcome) {
        return switch (outcome) {
            case DELIVERED -> delivered;
            case LATE -> late;
            case LOST -> lost;
            case SEND_FAILED -> sendFailed;
        };
    }

    /** Whether every scheduled probe is accounted for exactly once. */
    public boolean conserved() {
        return scheduled == delivered + late + lost + sendFailed + inFlight;
    }
}
