/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.canary.show.slow;

import io.phasewise.canary.phases.Breakdown;
import io.phasewise.canary.phases.WallTime;
import io.phasewise.canary.trip.Trip;
import java.util.Optional;
import java.util.function.LongBinaryOperator;

/**
 * Whose probes they are: makes the report of each, under its name and with its date. Which probes are worth it is left
 * to others.
 *
 * @param cluster the {@code cluster} label
 * @param profile the {@code profile} label
 * @param topic where the probes go
 * @param instance of the canary that sends them
 * @param wallTime dates T0
 * @param stalled how long this process was paused from one monotonic nanosecond to another; see
 *     {@link io.phasewise.canary.supervise.Stalls#within}
 */
public record ProbeSource(
        String cluster, String profile, String topic, long instance, WallTime wallTime, LongBinaryOperator stalled) {
    /** The report of a probe that came back. */
    public ProbeReport delivered(Trip trip, Breakdown breakdown) {
        long paused = stalled.applyAsLong(trip.dueNanos(), trip.delivery().atNanos());
        return new ProbeReport(this, wallTime.at(trip.dueNanos()), trip, Optional.of(breakdown), paused);
    }

    /** The report of a probe that ended without having come back. */
    ProbeReport undelivered(Trip trip) {
        return new ProbeReport(this, wallTime.at(trip.dueNanos()), trip, Optional.empty(), 0);
    }

    /** As a line of the log names it. */
    String named() {
        return "cluster=" + cluster + " profile=" + profile;
    }
}
