/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.probe.ProbeId;
import io.phasewise.canary.trip.Trip;
import java.util.function.LongBinaryOperator;

/**
 * Puts together what is known of one probe, under its name and with its date; which probes are
 * worth it is left to others.
 *
 * @param instance of the canary that sends them
 * @param wallTime dates T0
 * @param stalled how long this process was paused from one monotonic nanosecond to another; see
 *     {@link io.phasewise.canary.supervise.Stalls#within}
 */
public record ProbeReports(long instance, WallTime wallTime, LongBinaryOperator stalled) {
    /** The report of a probe that came back. */
    public SlowProbe delivered(Trip trip, Breakdown breakdown) {
        return new SlowProbe(
                id(trip),
                trip.leader(),
                trip.partition(),
                trip.delivery().offset(),
                trip.outcome(),
                wallTime.at(trip.dueNanos()),
                breakdown,
                trip.acknowledgedNanos(),
                trip.waitedNanos(),
                stalled.applyAsLong(trip.dueNanos(), trip.delivery().atNanos()));
    }

    /** The report of a probe that ended without having come back. */
    UndeliveredProbe undelivered(Trip trip) {
        return new UndeliveredProbe(
                id(trip),
                trip.leader(),
                trip.partition(),
                trip.outcome(),
                wallTime.at(trip.dueNanos()),
                trip.dispatchedNanos(),
                trip.acknowledgedNanos());
    }

    private String id(Trip trip) {
        return ProbeId.of(instance, trip.partition(), trip.sequence());
    }
}
